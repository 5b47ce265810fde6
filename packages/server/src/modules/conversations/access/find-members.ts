import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { ConversationRow } from './lock-conversation.ts'
import { loadReach, type Reach } from './sees.ts'

export type AnsweringMember = { id: string; name: string; role: Reach['role']; path: string }

/** Those of these accounts that can answer conversations of the organization. */
export async function findAnswering(
  db: Db,
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
): Promise<AnsweringMember[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<AnsweringMember>`
    select member.id, member.name, member.role, member.path from members_of(${organizationId}::uuid) member
    join accounts_with_module(${[...new Set(ids)]}::uuid[], 'chat') as holder (id) on holder.id = member.id
    where member.role in ('manager', 'user', 'department_head') and account_status_of(member.path) = 'active'`.execute(
    db,
  )
  return rows
}

/** The reach of another member of the organization. */
export function reachOf(db: Db, organizationId: string, { id, role, path }: AnsweringMember): Promise<Reach> {
  return loadReach(db, { organizationId, accountId: id, role, scope: { organizationId, path, descends: false } })
}

/** Whether a member would see this conversation if it were unassigned. */
export function couldSee(
  { role, teamIds, lineIds, teamLineIds }: Reach,
  { sender_id, team_id }: Pick<ConversationRow, 'sender_id' | 'team_id'>,
): boolean {
  if (role === 'manager' || lineIds === undefined || lineIds.includes(sender_id)) return true
  return teamLineIds.includes(sender_id) || (team_id !== null && teamIds.includes(team_id))
}
