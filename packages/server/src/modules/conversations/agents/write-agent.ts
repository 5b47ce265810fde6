import type { Input } from '@carillon/contract/endpoint'
import type { liveAgentEndpoints } from '@carillon/contract/live-agents'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import { badField, conflict, Problem } from '../../../lib/problem.ts'
import { getAccount, grantPermissions } from '../../accounts/index.ts'
import { recordAudit, whoActs } from '../../audit/index.ts'
import { withPasswordTurn } from '../../auth/index.ts'
import { createUser, firstSecret } from '../../users/index.ts'
import { release, releaseHeld } from '../changes/release-held.ts'
import { assertMayGive, writeSetup, type AgentSetup } from './agent-setup.ts'
import { agentsChanged, ensureAgent } from './availability.ts'
import { removeInvited, updateInvited } from './invited-agents.ts'
import { lockAgent, mayManage } from './see-agents.ts'

type NewAgent = Input<(typeof liveAgentEndpoints)['agents.create']>['body']
type Creation = { actor: UserActor; wanted: NewAgent; publicUrl: string; now: Date }

/** Makes an account of the organization an agent, or creates one. Returns its id, and the one-time password of a new account. */
export async function createAgent(
  scoped: RunTransaction,
  { actor, wanted, publicUrl, now }: Creation,
): Promise<{ id: string; temporaryPassword?: string | undefined }> {
  const { accountId } = wanted
  if (accountId !== undefined) {
    await scoped((db) => addExisting(db, { actor, id: accountId, setup: wanted }))
    return { id: accountId }
  }
  const { name, email, username, password } = wanted
  if (name === undefined) throw badField('name', 'Enter a name')
  if (email === undefined) throw badField('email', 'Enter an e-mail address')
  const registration = { name, email, username, password, type: wanted.role, modules: ['chat' as const] }
  const secret = await withPasswordTurn(`account:${actor.accountId}`, () => firstSecret(registration, false))
  return scoped(async (db) => {
    await assertMayGive(db, { actor, id: undefined, setup: wanted })
    const { _id: id, temporaryPassword } = await createUser(db, { actor, registration, secret, publicUrl, now })
    await addAgent(db, { actor, id, setup: wanted })
    return { id, temporaryPassword }
  })
}

type Target = { actor: UserActor; id: string; setup: AgentSetup }

async function addExisting(db: Db, { actor, id, setup }: Target): Promise<void> {
  const account = await getAccount(db, { id, scope: actor.scope }).catch((error: unknown) => {
    throw error instanceof Problem ? badField('accountId', 'Choose an account of your organisation') : error
  })
  if (account.organization_id !== actor.organizationId)
    throw badField('accountId', 'Choose an account of your organisation')
  if (account.status !== 'active') throw badField('accountId', 'This account is not active')
  await assertMayGive(db, { actor, id, setup })
  const { rows } = await sql<{ has_chat: boolean }>`
    select 'chat' = any(effective_modules(${id}::uuid)) as has_chat`.execute(db)
  if (!rows[0]?.has_chat)
    await grantPermissions(db, { actor, accountId: id, grants: [{ moduleName: 'chat', granted: true }] })
  await addAgent(db, { actor, id, setup })
}

async function addAgent(db: Db, { actor, id, setup }: Target): Promise<void> {
  const { organizationId } = actor
  const { isNew } = await ensureAgent(db, { organizationId, accountId: id })
  if (!isNew) throw conflict('This account is an agent already')
  await writeSetup(db, { organizationId, accountId: id, setup })
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'agent.added',
    object: { type: 'account', id },
  })
}

export async function updateAgent(db: Db, { actor, id, setup }: Target): Promise<void> {
  const { organizationId } = actor
  if (await updateInvited(db, { actor, id, setup })) return
  await lockAgent(db, { actor, id, which: mayManage(actor) })
  await assertMayGive(db, { actor, id, setup })
  await writeSetup(db, { organizationId, accountId: id, setup })
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'agent.updated',
    object: { type: 'account', id },
  })
  await agentsChanged(db, organizationId, [id])
}

/**
 * Removes an agent. The account stays and loses the module `chat`, with which it would become an agent again; conversations
 * that it holds are unassigned, apart from resolved ones.
 */
export async function removeAgent(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<void> {
  const { organizationId, accountId } = actor
  if (await removeInvited(db, { actor, id, now })) return
  const { name } = await lockAgent(db, { actor, id, which: mayManage(actor) })
  await release(
    db,
    sql`
      select organization_id, id, assignee_id as holder_id, ${name}::text as name from conversations
      where organization_id = ${organizationId}::uuid and assignee_id = ${id}::uuid`,
    actor,
  )
  if (id !== accountId) {
    const grants = [{ moduleName: 'chat' as const, granted: false }]
    const { account } = await grantPermissions(db, { actor, accountId: id, grants })
    await releaseHeld(db, account.path)
  }
  await sql`delete from team_members where organization_id = ${organizationId}::uuid and account_id = ${id}::uuid`.execute(
    db,
  )
  await db
    .deleteFrom('live_agents')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', id)
    .execute()
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: 'agent.removed',
    object: { type: 'account', id },
  })
  await agentsChanged(db, organizationId, [id])
}
