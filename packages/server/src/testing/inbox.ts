import { asSystem, type Database } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { openConversations } from '../modules/conversations/index.ts'
import { applyProviderEvents } from '../modules/messages/index.ts'
import type { Account } from './builders.ts'
import { buildFixtures } from './fixtures.ts'

export type Line = { organizationId: string; senderId: string }

/** A sender of the organisation that people can write to. */
export async function buildLine(database: Database, owner: Account): Promise<Line> {
  const { smsAccount: senderId } = await buildFixtures(database, owner)
  return { organizationId: owner.organizationId, senderId }
}

let people = 919_812_000_000

/** The number of a person who never wrote. */
export function newPerson(): string {
  people += 1
  return String(people)
}

export type Message = { from?: string; text?: string; at?: Date }

/** Receives messages as a provider reports them, in one batch. Returns the conversations of their authors, in their order. */
export async function receive(database: Database, line: Line, messages: readonly Message[]): Promise<string[]> {
  const events = messages.map(({ from = newPerson(), text = 'Hello', at = new Date() }) => ({
    kind: 'inbound-message' as const,
    from,
    to: 'CARLLN',
    text,
    dedupeKey: newId(),
    at,
    raw: '{}',
  }))
  const { poison } = await applyProviderEvents(database.systemPool, line, events, { onInbound: openConversations })
  if (poison[0]) throw new Error('A message could not be stored', { cause: poison[0].error })
  database.notifySoon('carillon_events')
  const { rows } = await database.ownerPool.query<{ id: string; identity: string }>(
    `select id, identity from conversations where organization_id = $1 and sender_id = $2`,
    [line.organizationId, line.senderId],
  )
  const ids = new Map(rows.map(({ id, identity }) => [identity, id]))
  return events.map(({ from }) => ids.get(from) ?? '')
}

export type AgentOptions = {
  availability?: 'online' | 'busy' | 'away' | 'offline'
  capacity?: number
  channelCapacity?: Record<string, number>
  skills?: string[]
  lines?: Line[]
}

/** Makes the account an agent, who has long been online unless the options say otherwise. */
export async function buildAgent(database: Database, account: Account, options: AgentOptions = {}): Promise<void> {
  const { id: account_id, organizationId: organization_id } = account
  const since = new Date(Date.now() - 3_600_000)
  await asSystem(database, async (db) => {
    await db
      .insertInto('live_agents')
      .values({
        organization_id,
        account_id,
        availability: options.availability ?? 'online',
        available_since: since,
        goes_offline: false,
        skills: options.skills ?? [],
        capacity: options.capacity ?? null,
        channel_capacity: JSON.stringify(options.channelCapacity ?? {}),
      })
      .execute()
    await db
      .insertInto('live_agent_spans')
      .values({ organization_id, account_id, availability: options.availability ?? 'online', began_at: since })
      .execute()
    for (const { senderId: sender_id } of options.lines ?? [])
      await db.insertInto('live_agent_lines').values({ organization_id, account_id, sender_id }).execute()
  })
}

/** Settings of an organisation whose conversations are assigned automatically. */
export async function assignAutomatically({ ownerPool }: Database, { organizationId }: Account): Promise<void> {
  await ownerPool.query(
    `insert into inbox_settings (organization_id, assigns_automatically) values ($1, true)
      on conflict (organization_id) do update set assigns_automatically = true`,
    [organizationId],
  )
}
