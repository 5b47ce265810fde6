import type { Availability } from '@carillon/contract/live-agents'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import { asSystem, type Database, type Db } from '../../../db/pool.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { lockAgent, mayManage } from './see-agents.ts'

type AgentKey = { organizationId: string; accountId: string }

/** Makes the account an agent, offline, unless it is one. */
export async function ensureAgent(db: Db, { organizationId, accountId }: AgentKey): Promise<{ isNew: boolean }> {
  const { rows } = await sql`
    with added as (
      insert into live_agents (organization_id, account_id, available_since)
      values (${organizationId}::uuid, ${accountId}::uuid, clock_timestamp()) on conflict do nothing
      returning organization_id, account_id, available_since
    )
    insert into live_agent_spans (organization_id, account_id, availability, began_at)
    select organization_id, account_id, 'offline', available_since from added returning account_id`.execute(db)
  const isNew = rows.length > 0
  if (isNew) await agentsChanged(db, organizationId, [accountId])
  return { isNew }
}

/** Other processes assign waiting conversations anew. */
export async function agentsChanged(db: Db, organizationId: string, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return
  await recordEvents(db, [{ type: 'agent.changed', organizationId, subjectIds: [...accountIds], payload: {} }])
}

type Change = { actor: UserActor; id: string; availability: Availability; autoOffline: boolean | undefined }

/** Of oneself, or of an agent below. */
export async function setAvailability(db: Db, { actor, id, availability, autoOffline }: Change): Promise<void> {
  const { organizationId, accountId, modules } = actor
  const isOwn = id === accountId
  if (isOwn && modules.has('chat')) await ensureAgent(db, { organizationId, accountId })
  const before = await lockAgent(db, { actor, id, which: isOwn ? sql<boolean>`true` : mayManage(actor) })
  const key = { organizationId, accountId: id }
  if (autoOffline !== undefined)
    await db
      .updateTable('live_agents')
      .set({ goes_offline: autoOffline })
      .where('organization_id', '=', organizationId)
      .where('account_id', '=', id)
      .execute()
  if (before.availability === availability) {
    // Agents who choose to be offline do not return with their browser.
    await db
      .updateTable('live_agents')
      .set({ returns_to: null })
      .where('organization_id', '=', organizationId)
      .where('account_id', '=', id)
      .where('returns_to', 'is not', null)
      .execute()
    return
  }
  await beginSpan(db, key, availability)
  await agentsChanged(db, organizationId, [id])
}

async function beginSpan(db: Db, { organizationId, accountId }: AgentKey, availability: Availability): Promise<void> {
  await sql`
    with agent as (
      update live_agents set availability = ${availability}, available_since = clock_timestamp(), returns_to = null
      where organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid
      returning available_since
    ), ended as (
      update live_agent_spans set ended_at = agent.available_since from agent
      where organization_id = ${organizationId}::uuid and account_id = ${accountId}::uuid and ended_at is null
    )
    insert into live_agent_spans (organization_id, account_id, availability, began_at)
    select ${organizationId}::uuid, ${accountId}::uuid, ${availability}, available_since from agent`.execute(db)
}

/** Interval at which processes record the agents whose browsers are connected to them. */
const touchEveryMs = 20_000

type Presence = {
  database: Database
  /** Accounts with a browser that is connected to this process. */
  accounts(): readonly AgentKey[]
}

/** Records at intervals that agents have a browser open: at once for one that was just connected. */
export function createPresence({ database, accounts }: Presence): () => Promise<void> {
  let touched = new Map<string, number>()
  return async () => {
    const now = performance.now()
    const connected = accounts()
    const due = connected.filter(({ accountId }) => now - (touched.get(accountId) ?? -touchEveryMs) >= touchEveryMs)
    await touchAgents(database, due)
    const dueIds = new Set(due.map(({ accountId }) => accountId))
    touched = new Map(
      connected.map(({ accountId }) => [accountId, dueIds.has(accountId) ? now : (touched.get(accountId) ?? now)]),
    )
  }
}

/** Records that these accounts have a browser open. Those who were set offline without one return to what they were. */
export async function touchAgents(database: Database, accounts: readonly AgentKey[]): Promise<void> {
  if (accounts.length === 0) return
  const connected = sql`unnest(${accounts.map(({ organizationId }) => organizationId)}::uuid[], ${accounts.map(({ accountId }) => accountId)}::uuid[])
    as connected (organization_id, account_id)`
  await asSystem(database, async (db) => {
    await sql`
      update live_agents agent set last_seen_at = clock_timestamp()
      from (
        select live.organization_id, live.account_id from live_agents live
        join ${connected} using (organization_id, account_id)
        where live.last_seen_at is null or live.last_seen_at < clock_timestamp() - interval '10 seconds'
        order by live.organization_id, live.account_id for update of live skip locked) connected
      where agent.organization_id = connected.organization_id and agent.account_id = connected.account_id`.execute(db)
    const { rows } = await sql<AgentKey>`
      with gone as (
        select live.organization_id, live.account_id from live_agents live
        join ${connected} using (organization_id, account_id)
        where live.returns_to is not null
        order by live.organization_id, live.account_id for update of live skip locked
      ), back as (
        update live_agents agent set availability = agent.returns_to, returns_to = null, available_since = clock_timestamp() from gone
        where agent.organization_id = gone.organization_id and agent.account_id = gone.account_id
        returning agent.organization_id, agent.account_id, agent.availability, agent.available_since
      ), ended as (
        update live_agent_spans span set ended_at = back.available_since from back
        where span.organization_id = back.organization_id and span.account_id = back.account_id and span.ended_at is null
      )
      insert into live_agent_spans (organization_id, account_id, availability, began_at)
      select organization_id, account_id, availability, available_since from back
      returning organization_id as "organizationId", account_id as "accountId"`.execute(db)
    await changed(db, rows)
  })
}

async function changed(db: Db, agents: readonly AgentKey[]): Promise<void> {
  for (const [organizationId, own] of Map.groupBy(agents, (agent) => agent.organizationId))
    await agentsChanged(
      db,
      organizationId,
      own.map(({ accountId }) => accountId),
    )
}

const absentFor = '2 minutes'

/** Sets agents offline whose browsers have been closed for a while. */
export async function endAbsences(database: Database): Promise<void> {
  await asSystem(database, async (db) => {
    const { rows } = await sql<AgentKey>`
      select organization_id as "organizationId", account_id as "accountId" from end_absences(${absentFor}::interval)`.execute(
      db,
    )
    await changed(db, rows)
  })
}
