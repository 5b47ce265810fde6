import type { IdReading } from '../../../channels/provider.ts'
import { learnedClock, learnedReading } from '../../../channels/receipt-votes.ts'
import { onOurClock } from './apply-counted.ts'
import { earlierMs, recentMs, laterMs } from './choose-message.ts'
import {
  clockVotesOf,
  forgetDay,
  lastDayOf,
  readReceiptProfile,
  saveObservations,
  type Observations,
} from './receipt-profile.ts'
import { mayRepeatIds, RepeatedIds } from './repeated-ids.ts'
import type { ReportedMessage } from './report-evidence.ts'
import { isSameNumber, numberArrays } from './reported-messages.queries.ts'
import { joinByIds, joinEach, moveOfDay, runMove, type ChangedMessages } from './moved-by-place.ts'
import { instants, reportArrays, reportRows, type SenderKey } from './reports.queries.ts'
import { textArray, type Queryable } from '../statements.ts'

/** Up to two of the messages with an id, on any day. */
const messagesOfId = `select count(*) from (
    select from unnest($20::date[]) as day (day)
    cross join lateral (
      select from messages other
      where other.organization_id = $1 and other.sender_id = $2 and other.created_on = day.day
        and other.provider_message_id = report.id
      limit 2
    ) other
    limit 2
  ) of_id`

const certainRows = reportRows(4, {
  id: 'text',
  digits: 'bigint',
  modulus: 'bigint',
  other_digits: 'bigint',
  other_modulus: 'bigint',
  submitted_at: 'float8',
})

const isCertain = (table: string) => `${isSameNumber('phone', 'report')} and ${table}.status < 'failed'
      and ${table}.sent_at > now() - interval '${recentMs} milliseconds'
      and (report.submitted_at is null or extract(epoch from ${table}.sent_at) * 1000 - report.submitted_at between ${-earlierMs} and ${laterMs})`

/** If the sender has messages on other days, or several with one id. */
const update = moveOfDay('apply-certain-reports', {
  rows: certainRows,
  join: joinEach(`provider_message_id = report.id and ${isCertain('messages')}
      and (${messagesOfId}) = 1`),
  isClockRough: true,
})

/** If it has none. */
const updateById = moveOfDay('apply-certain-reports-by-id', {
  rows: certainRows,
  join: joinByIds('$14'),
  concernsMessage: isCertain('message'),
  isClockRough: true,
})

type Applied = { changes: ChangedMessages[]; /** The reports that remain to be applied. */ rest: ReportedMessage[] }

/**
 * Applies the new reports whose message is certain, in one statement: the provider's form of ids and times is known, no other
 * message of the sender has the id, no other sender's message can be meant, and this one has the report's number, was sent
 * within minutes and has no final status. For these, the choice among messages would give the same result.
 */
export async function applyCertain(db: Queryable, key: SenderKey, reports: ReportedMessage[]): Promise<Applied> {
  const day = lastDayOf(key)
  if (day === undefined || reports.length === 0) return { changes: [], rest: reports }
  const receipts = await readReceiptProfile(db, key)
  const learned = learnedReading(receipts.idVotes)
  const clock = learnedClock(receipts.clockVotes)
  if (!learned || clock === undefined || receipts.hasParts || receipts.siblings.length > 0)
    return { changes: [], rest: reports }

  const lookups = listLookups(reports, learned)
  const rows = lookups.map(({ report, id }, number) => ({ number, id, report: onOurClock(report, clock) }))
  const { changes, missing, overtaken } = await apply(db, key, { rows, days: receipts.days, day })
  const isOpen = new Set([...missing, ...overtaken])
  const applied = new Set(lookups.filter((_, number) => !isOpen.has(number)).map(({ report }) => report))
  if (applied.size < reports.length / 2) forgetDay(key)
  await saveObservations(db, key, { profile: receipts, observations: observationsOf([...applied], learned) })
  // In order: of two reports with one id the first may end the message, and the second concern another.
  return { changes, rest: reports.filter((report) => !applied.has(report)) }
}

function observationsOf(applied: readonly ReportedMessage[], learned: IdReading): Observations {
  const ambiguous = applied.filter(({ candidates }) => candidates.length > 1)
  const idVotes = { [learned]: ambiguous.length }
  return { idVotes, clockVotes: clockVotesOf(applied, Date.now()), idConflicts: 0, otherNumbers: 0 }
}

type MatchedReport = { report: ReportedMessage; /** By the learned form of ids. */ id: string }

/**
 * Reports that may be certain. Several with the same id may each concern another message. Sorted by id, so that two batches
 * with common messages lock them in the same order.
 */
function listLookups(reports: readonly ReportedMessage[], learned: IdReading): MatchedReport[] {
  const byId = Map.groupBy(reports, ({ candidates, match }) => candidates[match?.readings.indexOf(learned) ?? -1])
  const lookups: MatchedReport[] = []
  for (const [id, [report, ...others]] of byId) {
    if (id === undefined || !report || others.length > 0) continue
    if (report.numbers.length > 0 && report.reference === undefined) lookups.push({ report, id })
  }
  return lookups.sort((one, other) => (one.id < other.id ? -1 : 1))
}

type Question = { rows: (MatchedReport & { number: number })[]; days: readonly string[]; day: string }

async function apply(db: Queryable, key: SenderKey, { rows, days, day }: Question) {
  const now = new Date()
  const bounded = rows.map((row) => ({ ...row, report: untilNow(row.report, now) }))
  const reports = bounded.map(({ report }) => report)
  const values = [
    ...reportArrays(bounded),
    textArray(rows.map(({ id }) => id)),
    ...numberArrays(reports),
    instants(reports.map(({ match }) => match?.submittedAt)),
  ]
  if (days.length > 1 || days[0] !== day || mayRepeatIds(key))
    return runMove(db, update, { day, key, values: [...values, textArray(days)] })
  const applied = await runMove(db, updateById, { day, key, values })
  if (applied.found > rows.length) throw new RepeatedIds(key)
  return applied
}

/** A clock slightly ahead of ours reports a time in the future. */
function untilNow(report: ReportedMessage, now: Date): ReportedMessage {
  const { deliveredAt, failedAt } = report
  if ((deliveredAt ?? now) <= now && (failedAt ?? now) <= now) return report
  const until = (at: Date | undefined) => (at && at > now ? now : at)
  return { ...report, deliveredAt: until(deliveredAt), failedAt: until(failedAt) }
}
