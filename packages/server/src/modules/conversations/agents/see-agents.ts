import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { notFound } from '../../../lib/problem.ts'

/** A row of `members_of` under this alias. */
type Member = string

/** The accounts whose metrics and day a member may see: managers all, others their own and those of the accounts below. */
export function mayMonitor({ role, scope }: UserActor, member: Member = 'member'): RawBuilder<boolean> {
  return role === 'manager' ? sql<boolean>`true` : sql<boolean>`${sql.ref(`${member}.path`)} <@ ${scope.path}::ltree`
}

/** The agents a member may change: managers all, department heads those below them. */
export function mayManage({ role, accountId, scope }: UserActor, member: Member = 'member'): RawBuilder<boolean> {
  if (role === 'manager') return sql<boolean>`true`
  if (role !== 'department_head') return sql<boolean>`false`
  return sql<boolean>`(${sql.ref(`${member}.path`)} <@ ${scope.path}::ltree and ${sql.ref(`${member}.id`)} <> ${accountId}::uuid)`
}

/** The agents a member may see: those they may monitor, and users the colleagues of their teams. */
export function maySee(actor: UserActor, member: Member = 'member'): RawBuilder<boolean> {
  const { role, organizationId, accountId } = actor
  if (role !== 'user') return mayMonitor(actor, member)
  return sql<boolean>`(${mayMonitor(actor, member)} or ${sql.ref(`${member}.id`)} in (
    select colleague.account_id from team_members own
    join team_members colleague on colleague.organization_id = own.organization_id and colleague.team_id = own.team_id
    where own.organization_id = ${organizationId}::uuid and own.account_id = ${accountId}::uuid))`
}

type Wanted = { actor: UserActor; id: string; which: RawBuilder<boolean> }

/** Locks the row of an agent. */
export async function lockAgent(db: Db, { actor, id, which }: Wanted) {
  const { rows } = await sql<{ availability: string; name: string }>`
    select live.availability, member.name from live_agents live
    join members_of(${actor.organizationId}::uuid) member on member.id = live.account_id
    where live.organization_id = ${actor.organizationId}::uuid and live.account_id = ${id}::uuid and ${which}
    for update of live`.execute(db)
  if (!rows[0]) throw notFound('Agent')
  return rows[0]
}
