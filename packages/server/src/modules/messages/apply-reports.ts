import type { DeliveryReport } from '../../channels/provider.ts'
import { statusOfParts } from './evidence.ts'
import { parseReference } from './reference.ts'
import { gatherReports, type ReportedMessage } from './report-evidence.ts'
import {
  findDaysReported,
  parkEarlyReports,
  readPartStatuses,
  updateMessages,
  updateMessagesByKey,
  updateParts,
  type ChangedMessages,
  type Day,
  type SenderKey,
  type Target,
} from './reports.queries.ts'
import { settleChanges } from './settle-changes.ts'
import type { Queryable } from './statements.ts'

type Reports = Map<number, ReportedMessage>

/** What a batch of reports changed. */
export type Applied = { campaignIds: string[]; /** Reports whose message is not known (yet). */ parked: number }

/**
 * Applies a batch of reports inside the caller's transaction: messages move forward, counts and money follow, and what
 * belongs to no message yet waits. Order and repeats within and between batches cannot matter.
 */
export async function applyReports(
  db: Queryable,
  key: SenderKey,
  question: { reports: readonly DeliveryReport[]; park: boolean },
): Promise<Applied> {
  const remaining: Reports = new Map(gatherReports(question.reports).entries())
  const changes = await applyByDays(db, key, remaining)
  if (remaining.size > 0) changes.push(...(await applyByReference(db, key, remaining)))
  if (remaining.size > 0 && question.park) await parkEarlyReports(db, key, remaining)
  // Last, because a balance is shared by everything the organisation sends and stays locked until the commit.
  return { campaignIds: await settleChanges(db, key.organizationId, changes), parked: remaining.size }
}

/**
 * The days to which a sender's last reports belonged, most of them first: nearly always the day of its one campaign. Only
 * what is not there is looked for in all days kept, and then remembered.
 */
const lastDays = new Map<string, Day[]>()
const daysRemembered = 3

/** Who was seen to send long messages: with the others, parts are looked for only where a search has found some. */
const sendersOfParts = new Set<string>()

/** Takes what it finds out of `remaining`. */
async function applyByDays(db: Queryable, key: SenderKey, remaining: Reports): Promise<ChangedMessages[]> {
  const changes: ChangedMessages[] = []
  const found = new Map<Day, number>()
  const apply = async (day: Day, reports: Reports, withParts: boolean) => {
    const asked = reports.size
    if (asked === 0) return
    changes.push(...(await applyMessages(db, key, { day, remaining: reports })))
    if (withParts && reports.size > 0) changes.push(...(await applyParts(db, key, { day, remaining: reports })))
    if (reports.size < asked) found.set(day, asked - reports.size)
  }
  for (const day of lastDays.get(key.senderId) ?? [undefined]) {
    await apply(day, remaining, sendersOfParts.has(key.senderId))
  }
  for (const [day, reports] of await takeByDay(db, key, remaining)) await apply(day, reports, true)
  if (found.size > 0) {
    const days = [...found].sort(([, one], [, other]) => other - one).map(([day]) => day)
    lastDays.set(key.senderId, days.slice(0, daysRemembered))
  }
  return changes
}

async function takeByDay(db: Queryable, key: SenderKey, remaining: Reports): Promise<Map<string, Reports>> {
  const byDay = new Map<string, Reports>()
  if (remaining.size === 0) return byDay
  for (const { number, day } of await findDaysReported(db, key, remaining)) {
    const report = remaining.get(number)
    if (report) byDay.set(day, (byDay.get(day) ?? new Map()).set(number, report))
    remaining.delete(number)
  }
  return byDay
}

type OfDay = { day: Day; remaining: Reports }

async function applyMessages(db: Queryable, key: SenderKey, { day, remaining }: OfDay): Promise<ChangedMessages[]> {
  const { changes, unknown } = await updateMessages(db, key, { day, reports: remaining })
  const isUnknown = new Set(unknown)
  for (const [number, { candidates }] of remaining) {
    // One without an id was not asked about.
    if (candidates.length > 0 && !isUnknown.has(number)) remaining.delete(number)
  }
  return changes
}

async function applyParts(db: Queryable, key: SenderKey, { day, remaining }: OfDay): Promise<ChangedMessages[]> {
  const parts = await updateParts(db, key, { day, reports: remaining })
  if (parts.length === 0) return []
  sendersOfParts.add(key.senderId)
  const said = new Map(remaining)
  for (const { number } of parts) remaining.delete(number)
  return moveWholes(db, key.organizationId, { parts, said })
}

const keyOf = ({ campaignId, leg, seq }: Target) => `${campaignId}.${leg}.${seq}`

/** A long message moves with its parts: delivered when all are, failed when one is. */
async function moveWholes(
  db: Queryable,
  organizationId: string,
  { parts, said }: { parts: (Target & { number: number })[]; said: Reports },
): Promise<ChangedMessages[]> {
  const reportsByMessage = new Map<string, ReportedMessage[]>()
  for (const part of parts) {
    const report = said.get(part.number)
    if (report) reportsByMessage.set(keyOf(part), [...(reportsByMessage.get(keyOf(part)) ?? []), report])
  }
  const targets = new Map<number, { target: Target; report: ReportedMessage }>()
  for (const { statuses, ...target } of await readPartStatuses(db, organizationId, parts)) {
    const status = statusOfParts(statuses)
    const reports = reportsByMessage.get(keyOf(target)) ?? []
    const report = reports.find((candidate) => candidate.status === status) ?? reports[0]
    if (report && (status === 'failed' || status === 'delivered' || status === 'read')) {
      targets.set(targets.size, { target, report: ofWhole(report, status) })
    }
  }
  return targets.size === 0 ? [] : updateMessagesByKey(db, organizationId, targets)
}

/** A part's report as the word on the whole message. */
function ofWhole(report: ReportedMessage, status: 'failed' | 'delivered' | 'read'): ReportedMessage {
  const isFailed = status === 'failed'
  return {
    ...report,
    status,
    deliveredAt: isFailed ? undefined : (report.deliveredAt ?? report.readAt),
    readAt: status === 'read' ? report.readAt : undefined,
    failedAt: isFailed ? report.failedAt : undefined,
  }
}

/** A provider that echoes our reference names the message even when its answer to the submit was lost. */
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
