import type pg from 'pg'
import type { DeliveryReport, ProviderEvent } from '../../../channels/provider.ts'
import { failPoint } from '../../../lib/fail-points.ts'
import { applyReports, type Applied } from './apply-reports.ts'
import { storeInbound, storePreferences, type OnInbound, type ReceivedInbound } from '../inbound/inbound.ts'
import { countReports, type ReportCounts } from './report-metrics.ts'
import { applyInParts, setAsidePoison, type Poison } from './set-aside.ts'
import { storableEvent } from './storable-events.ts'
import type { StoredInbound } from '../inbound/stored-inbound.ts'
import { inReportTransaction } from './repeated-ids.ts'
import type { SenderKey } from './reports.queries.ts'
import { run, type Queryable, type Statement } from '../statements.ts'

type Changes = { campaignIds: string[]; inbound: StoredInbound[] }
type BatchEffects = Changes & { counts: Partial<ReportCounts> }

/** What a batch changed. */
export type EventEffects = Changes & { /** Events that could not be applied and were set aside. */ poison: Poison[] }

const batchSize = 1000

/**
 * Stores and applies provider events in batches of up to a thousand, each in one transaction. Resolves after the commit, when
 * the provider may be answered. Repeated events change nothing. An event that cannot be applied is stored separately, and the
 * others of its batch are applied.
 */
export async function applyProviderEvents(
  pool: pg.Pool,
  { onInbound, ...key }: SenderKey & { onInbound?: OnInbound },
  events: readonly ProviderEvent[],
): Promise<EventEffects> {
  const effects: EventEffects = { campaignIds: [], inbound: [], poison: [] }
  for (let start = 0; start < events.length; start += batchSize) {
    const batch = events.slice(start, start + batchSize)
    failPoint('before-events')
    const parts = await applyInParts(batch, {
      apply: (part) => inReportTransaction(pool, (db) => applyBatch(db, { key, onInbound }, part.map(storableEvent))),
      async setAside({ kind, raw }, error) {
        const poison = { kind, raw, error }
        await setAsidePoison(pool, key, poison)
        effects.poison.push(poison)
      },
    })
    failPoint('after-events')
    for (const { campaignIds, inbound, counts } of parts) {
      countReports(counts)
      effects.campaignIds.push(...campaignIds)
      effects.inbound.push(...inbound)
    }
  }
  return effects
}

async function applyBatch(
  db: Queryable,
  { key, onInbound }: { key: SenderKey; onInbound: OnInbound | undefined },
  events: readonly ProviderEvent[],
): Promise<BatchEffects> {
  const reports = events.filter((event): event is DeliveryReport & { raw: string } => event.kind === 'delivery-report')
  const messages = events.filter((event) => event.kind === 'inbound-message')
  // First the statements that lock nothing, because messages stay locked until the commit. The next statement is prepared meanwhile.
  const saved = saveRawEvents(db, [{ key, events }])
  const applied = reports.length > 0 ? applyReports(db, key, { reports, park: true }) : Promise.resolve(nothingApplied)
  // Wait for both before an error is thrown: no statement may follow the rollback.
  await Promise.allSettled([saved, applied])
  await saved
  const { campaignIds, parked, conflicting } = await applied
  const received = messages.map((message) => ({ line: key, message }))
  const inbound = received.length > 0 ? await storeInbound(db, received, onInbound) : []
  const preferences = events.filter((event) => event.kind === 'preference-change')
  if (preferences.length > 0) await storePreferences(db, key, preferences)
  return { campaignIds, inbound, counts: { matched: reports.length - parked, early: parked, conflicting } }
}

const nothingApplied: Applied = { campaignIds: [], parked: 0, conflicting: 0 }

/** A message with what its provider sent. */
type RawInbound = ReceivedInbound & { message: { raw: string } }

/**
 * The same for messages of many lines, also of different organisations, in one transaction: with few messages per line, a
 * transaction for each costs far more than the messages do.
 */
export async function applyInbound(
  pool: pg.Pool,
  onInbound: OnInbound,
  received: readonly RawInbound[],
): Promise<{ hasNew: boolean; poison: (Poison & { line: SenderKey })[] }> {
  const poison: (Poison & { line: SenderKey })[] = []
  failPoint('before-events')
  const parts = await applyInParts(received, {
    apply: (part) =>
      inReportTransaction(pool, async (db) => {
        const storable = part.map(({ line, message }) => ({ line, message: storableEvent(message) }))
        await saveRawEvents(db, eventsByLine(storable))
        return storeInbound(db, storable, onInbound)
      }),
    async setAside({ line, message: { kind, raw } }, error) {
      await setAsidePoison(pool, line, { kind, raw, error })
      poison.push({ line, kind, raw, error })
    },
  })
  failPoint('after-events')
  return { hasNew: parts.some((stored) => stored.length > 0), poison }
}

type LineEvents = { key: SenderKey; events: readonly ProviderEvent[] }

function eventsByLine(received: readonly RawInbound[]): LineEvents[] {
  return [...Map.groupBy(received, ({ line }) => line.senderId).values()].flatMap((ofLine) =>
    ofLine[0] ? [{ key: ofLine[0].line, events: ofLine.map(({ message }) => message) }] : [],
  )
}

const insertRawEvents: Statement = {
  name: 'insert-provider-events',
  text: `
  insert into provider_events (organization_id, received_on, sender_id, kind, raws)
  select organization_id, current_date, sender_id, kind, raws
  from json_to_recordset($1::json) as input (organization_id uuid, sender_id uuid, kind text, raws json)`,
}

async function saveRawEvents(db: Queryable, lines: readonly LineEvents[]): Promise<void> {
  const rows = lines.flatMap(({ key: { organizationId, senderId }, events }) =>
    [...Map.groupBy(events, ({ kind }) => kind)].map(([kind, ofKind]) => ({
      organization_id: organizationId,
      sender_id: senderId,
      kind,
      raws: ofKind.map(({ raw }) => raw),
    })),
  )
  await run(db, insertRawEvents, [JSON.stringify(rows)])
}
