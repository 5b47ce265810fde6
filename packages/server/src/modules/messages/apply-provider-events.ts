import type pg from 'pg'
import type { DeliveryReport, ProviderEvent } from '../../channels/provider.ts'
import { failPoint } from '../../lib/fail-points.ts'
import { applyReports } from './apply-reports.ts'
import { storeInbound, storePreferences } from './inbound.ts'
import type { StoredInbound } from './stored-inbound.ts'
import type { SenderKey } from './reports.queries.ts'
import { inTransaction, run, type Queryable, type Statement } from './statements.ts'

/** What came of a batch, for those who watch. */
export type EventEffects = { campaignIds: string[]; inbound: StoredInbound[] }

const batchSize = 1000

/**
 * Stores and applies what a provider says, in batches of up to a thousand, each one transaction. Resolves after the
 * commit: only then may the provider be answered. The same words twice change nothing.
 */
export async function applyProviderEvents(
  pool: pg.Pool,
  key: SenderKey,
  events: readonly ProviderEvent[],
): Promise<EventEffects> {
  const effects: EventEffects = { campaignIds: [], inbound: [] }
  for (let start = 0; start < events.length; start += batchSize) {
    const batch = events.slice(start, start + batchSize)
    failPoint('before-events')
    const { campaignIds, inbound } = await withoutDeadlock(() =>
      inTransaction(pool, (db) => applyBatch(db, key, batch)),
    )
    failPoint('after-events')
    effects.campaignIds.push(...campaignIds)
    effects.inbound.push(...inbound)
  }
  return effects
}

async function applyBatch(db: Queryable, key: SenderKey, events: readonly ProviderEvent[]): Promise<EventEffects> {
  const reports = events.filter((event): event is DeliveryReport & { raw: string } => event.kind === 'delivery-report')
  const messages = events.filter((event) => event.kind === 'inbound-message')
  // First what locks nothing: the messages stay locked until the commit.
  await keepRawWords(db, key, events)
  const { campaignIds } =
    reports.length > 0 ? await applyReports(db, key, { reports, park: true }) : { campaignIds: [] }
  const inbound = messages.length > 0 ? await storeInbound(db, key, messages) : []
  const preferences = events.filter((event) => event.kind === 'preference-change')
  if (preferences.length > 0) await storePreferences(db, key, preferences)
  return { campaignIds, inbound }
}

const keep: Statement = {
  name: 'keep-provider-events',
  text: `insert into provider_events (organization_id, received_on, sender_id, kind, raws) values ($1, current_date, $2, $3, $4)`,
}

async function keepRawWords(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  events: readonly ProviderEvent[],
): Promise<void> {
  for (const [kind, ofKind] of Map.groupBy(events, (event) => event.kind)) {
    // PostgreSQL holds no text with a zero in it.
    const raws = ofKind.map(({ raw }) => (raw.includes('\0') ? raw.replaceAll('\0', '') : raw))
    await run(db, keep, [organizationId, senderId, kind, JSON.stringify(raws)])
  }
}

/** Two batches that touch the same messages in another order: PostgreSQL ends one of them, which is simply tried again. */
export async function withoutDeadlock<Result>(work: () => Promise<Result>, attempts = 5): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      // Errors of the database have a code; others have none.
      const isDeadlock = (error as { code?: string }).code === '40P01'
      if (!isDeadlock || attempt >= attempts) throw error
    }
  }
}
