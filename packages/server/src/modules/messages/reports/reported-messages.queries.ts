import type { MessageStatus } from '@carillon/contract/campaign-records'
import type { ReportedMessage } from './report-evidence.ts'
import type { SenderReceipts } from './receipt-profile.ts'
import type { SenderKey, Target } from './reports.queries.ts'
import { numberArray, run, textArray, type Queryable, type Statement } from '../statements.ts'

/** A message, or a part of a long one, whose id a report may contain. */
export type Hit = Found & {
  /** The stored form of the id by which it was found. */
  id: string
  /** Equal for all hits on the same message or part. */
  key: string
  /** Owner of the message. */
  senderId: string
}

type Found = Target & {
  /** Index of the report, and of the form of its id. */
  number: number
  reading: number
  day: string
  /** Null for a message of one part. */
  part: number | null
  status: MessageStatus
  /** Instants as milliseconds. */
  sentAt: number | null
  endedAt: number | null
  /** Null if the report has no number. */
  isSameNumber: boolean | null
}

/** Messages with one id on one day; the operator may have assigned it several times. */
const mostHits = 8

/**
 * Whether a message was sent to one of the numbers of a report; null if the report has none. Many reports have one number only.
 */
export function isSameNumber(phone: string, report: string): string {
  return `(${phone} % ${report}.modulus = ${report}.digits or coalesce(${phone} % ${report}.other_modulus = ${report}.other_digits, false))`
}

/** The numbers of reports as arrays: digits and modulus of the first, digits and modulus of the second. */
export function numberArrays(reports: readonly Pick<ReportedMessage, 'numbers'>[]): [string, string, string, string] {
  return [
    numberArray(reports.map(({ numbers: [first] }) => first?.digits ?? null)),
    numberArray(reports.map(({ numbers: [first] }) => first?.modulus ?? null)),
    numberArray(reports.map(({ numbers: [, second] }) => second?.digits ?? null)),
    numberArray(reports.map(({ numbers: [, second] }) => second?.modulus ?? null)),
  ]
}

const isSame = isSameNumber('message.phone', 'asked')

const instants = `extract(epoch from message.sent_at)::float8 * 1000 as "sentAt",
  extract(epoch from coalesce(message.delivered_at, message.failed_at))::float8 * 1000 as "endedAt", ${isSame} as "isSameNumber"`

const newestOfNumber = `order by ${isSame} desc nulls first, message.sent_at desc nulls last limit ${mostHits}`

const asked = `unnest($3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
  as asked (number, reading, id, digits, modulus, other_digits, other_modulus)
  cross join unnest($10::date[]) as day (day)`

const findMessages = `
  select asked.number, asked.reading, hit.* from ${asked}
  cross join lateral (
    select message.created_on as day, message.campaign_id as "campaignId", message.leg, message.seq, null::smallint as part,
      message.status, ${instants}
    from messages message
    where message.organization_id = $1 and message.sender_id = $2 and message.provider_message_id = asked.id
      and message.created_on = day.day
    ${newestOfNumber}
  ) hit`

const findParts = `
  select asked.number, asked.reading, hit.* from ${asked}
  cross join lateral (
    select part.created_on as day, part.campaign_id as "campaignId", part.leg, part.seq, part.part, part.status, ${instants}
    from message_parts part
    join messages message on message.organization_id = $1 and message.created_on = part.created_on
      and message.campaign_id = part.campaign_id and message.seq = part.seq and message.leg = part.leg
    where part.organization_id = $1 and part.sender_id = $2 and part.provider_message_id = asked.id
      and part.created_on = day.day
    ${newestOfNumber}
  ) hit`

const find: Statement = { name: 'find-reported-messages', text: findMessages }
const findWithParts: Statement = {
  name: 'find-reported-messages-and-parts',
  text: `${findMessages} union all ${findParts}`,
}

type Asking = {
  reports: readonly ReportedMessage[]
  receipts: Pick<SenderReceipts, 'hasParts' | 'days'>
  /** Which forms of a report's id are looked up. */
  isAsked(number: number, reading: number): boolean
}

/**
 * All messages of a sender that the reports may concern. One lookup per id and day: with all days in one condition the planner
 * reads a recent day by its primary key, all of it for each id.
 */
export async function findReported(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { reports, receipts, isAsked }: Asking,
): Promise<Hit[]> {
  const rows = reports.flatMap(({ candidates, numbers }, number) =>
    candidates.flatMap((id, reading) => (isAsked(number, reading) ? [{ number, reading, id, numbers }] : [])),
  )
  const found = await run<Found>(db, receipts.hasParts ? findWithParts : find, [
    organizationId,
    senderId,
    numberArray(rows.map(({ number }) => number)),
    numberArray(rows.map(({ reading }) => reading)),
    textArray(rows.map(({ id }) => id)),
    ...numberArrays(rows),
    textArray(receipts.days),
  ])
  return found.map((hit) => ({ ...present(hit, reports), senderId }))
}

function present(found: Found, reports: readonly ReportedMessage[]): Omit<Hit, 'senderId'> {
  const { number, reading, campaignId, leg, seq, part } = found
  const id = reports[number]?.candidates[reading] ?? ''
  return { ...found, id, key: `${campaignId} ${leg} ${seq} ${part}` }
}
