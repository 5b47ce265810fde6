import type { DeliveryReport } from '../../../channels/provider.ts'
import { applyCertain } from './apply-certain.ts'
import { applyCounted } from './apply-counted.ts'
import { applyParts, sendersOfParts } from './apply-parts.ts'
import { readReceiptProfile } from './receipt-profile.ts'
import { parseReference } from '../reference.ts'
import { gatherCounted, gatherReports, type ReportedMessage } from './report-evidence.ts'
import type { ChangedMessages } from './moved-by-place.ts'
import {
  findDaysReported,
  parkEarlyReports,
  today,
  updateMessages,
  updateMessagesByKey,
  type SenderKey,
  type Target,
} from './reports.queries.ts'
import { settleChanges } from './settle-changes.ts'
import type { Queryable } from '../statements.ts'

type Reports = Map<number, ReportedMessage>

/** What a batch of reports changed. */
export type Applied = {
  campaignIds: string[]
  /** Reports whose message is not known (yet). */ parked: number
  /** Reports that contradict how the provider was learned to write ids. */ conflicting: number
}

/**
 * Applies a batch of reports in the caller's transaction: updates messages, counters and money, and stores reports whose
 * message is unknown. Neither the order nor repeats, within a batch or between batches, change the result.
 */
export async function applyReports(
  db: Queryable,
  key: SenderKey,
  question: { reports: readonly DeliveryReport[]; park: boolean },
): Promise<Applied> {
  const gathered = gatherCounted(question.reports.filter(({ match }) => match))
  const unique: Reports = new Map(gatherReports(question.reports.filter(({ match }) => !match)).entries())
  const waiting: Reports = new Map()
  const changes: ChangedMessages[] = []
  let conflicting = 0
  const { changes: certain, rest: counted } = await applyCertain(db, key, gathered)
  changes.push(...certain)
  if (counted.length > 0) {
    const applied = await applyCounted(db, key, {
      reports: counted,
      isNew: true,
      mayWait: () => true,
      isOver: () => false,
    })
    changes.push(...applied.changes)
    conflicting = applied.conflicting
    for (const index of applied.waiting) {
      const report = counted[index]
      if (report) waiting.set(question.reports.length + index, report)
    }
  }
  if (unique.size > 0) changes.push(...(await applyByDays(db, key, unique)))
  if (unique.size > 0) changes.push(...(await applyToSiblings(db, key, unique)))
  const remaining = waiting.size === 0 ? unique : new Map([...unique, ...waiting])
  if (remaining.size > 0) changes.push(...(await applyByReference(db, key, remaining)))
  if (remaining.size > 0 && question.park) await parkEarlyReports(db, key, remaining)
  // Last, because a balance is shared by all of the organisation's sends and stays locked until the commit.
  return { campaignIds: await settleChanges(db, key.organizationId, changes), parked: remaining.size, conflicting }
}

/**
 * The days of a sender's recent reports, most frequent first: nearly always the day of its one campaign. Only reports without a
 * message there are searched for in all retained days, which are then remembered.
 */
const lastDays = new Map<string, string[]>()
const daysRemembered = 3

/** By ids that are never reused. Removes found reports from `remaining`. */
async function applyByDays(db: Queryable, key: SenderKey, remaining: Reports): Promise<ChangedMessages[]> {
  const changes: ChangedMessages[] = []
  const found = new Map<string, number>()
  const apply = async (day: string, reports: Reports, withParts: boolean) => {
    const asked = reports.size
    if (asked === 0) return
    changes.push(...(await applyMessages(db, key, { day, remaining: reports })))
    if (withParts && reports.size > 0) changes.push(...(await applyParts(db, key, { day, remaining: reports })))
    if (reports.size < asked) found.set(day, asked - reports.size)
  }
  for (const day of lastDays.get(key.senderId) ?? [await today(db)]) {
    await apply(day, remaining, sendersOfParts.has(key.senderId))
  }
  for (const [day, reports] of await applyByDay(db, key, remaining)) await apply(day, reports, true)
  if (found.size > 0) {
    const days = [...found].sort(([, one], [, other]) => other - one).map(([day]) => day)
    lastDays.set(key.senderId, days.slice(0, daysRemembered))
  }
  return changes
}

/** To messages of other senders with the same provider login. */
async function applyToSiblings(db: Queryable, key: SenderKey, remaining: Reports): Promise<ChangedMessages[]> {
  const { siblings } = await readReceiptProfile(db, key)
  const changes: ChangedMessages[] = []
  for (const senderId of siblings)
    if (remaining.size > 0) changes.push(...(await applyByDays(db, { ...key, senderId }, remaining)))
  return changes
}

async function applyByDay(db: Queryable, key: SenderKey, remaining: Reports): Promise<Map<string, Reports>> {
  const byDay = new Map<string, Reports>()
  if (remaining.size === 0) return byDay
  for (const { number, day } of await findDaysReported(db, key, remaining)) {
    const report = remaining.get(number)
    if (report) byDay.set(day, (byDay.get(day) ?? new Map()).set(number, report))
    remaining.delete(number)
  }
  return byDay
}

type OfDay = { day: string; remaining: Reports }

async function applyMessages(db: Queryable, key: SenderKey, { day, remaining }: OfDay): Promise<ChangedMessages[]> {
  const { changes, unknown } = await updateMessages(db, key, { day, reports: remaining })
  const isUnknown = new Set(unknown)
  // A report without an id was not searched for. Few remain, so keeping these is faster than deleting the others.
  const kept = [...remaining].filter(([number, { candidates }]) => candidates.length === 0 || isUnknown.has(number))
  remaining.clear()
  for (const [number, report] of kept) remaining.set(number, report)
  return changes
}

/** A provider that returns our reference identifies the message even if its response to the submit was lost. */
async function applyByReference(
  db: Queryable,
  { organizationId }: SenderKey,
  remaining: Reports,
): Promise<ChangedMessages[]> {
  const targets = new Map<number, { target: Target; report: ReportedMessage }>()
  for (const [number, report] of remaining) {
    const target = report.reference === undefined ? undefined : parseReference(report.reference)
    if (target) targets.set(number, { target, report })
  }
  if (targets.size === 0) return []
  const changes = await updateMessagesByKey(db, organizationId, targets)
  for (const { number } of changes) remaining.delete(number)
  return changes
}
