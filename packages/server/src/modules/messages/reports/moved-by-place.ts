import type { MessageStatus } from '@carillon/contract/campaign-records'
import { run, type Queryable, type Statement } from '../statements.ts'

/** Messages with the same status change, with their exact previous status. */
export type ChangedMessages = {
  campaignId: string
  leg: number
  previous: MessageStatus
  status: MessageStatus
  /** Their positions and failure reasons, if a report failed them: they may enter another leg. */
  ended?: { seqs: number[]; reasons: string[] } | null
  /** Of each message. */
  parts: number
  price: number
  billableOn: 'sent' | 'delivered'
  /** The organisation's day on which they were sent; null for messages stored before days were recorded. */
  leftOn: string | null
  count: number
  /** The provider had refused them on submission: they were never counted as submitted. */
  wasRefused?: boolean | null
  /** Their positions; null if the campaign has no other leg and nothing subscribes to statuses. */
  seqs: number[] | null
}

/** Of several failures the earliest counts, then the smallest code. Most reports are no failures, so that is checked first. */
const isEarlierFailure = `report.failed_at is not null and (report.failed_at, coalesce(report.code, '')) < (coalesce(message.failed_at, 'infinity'), coalesce(message.code, ''))`

/**
 * A report can only raise a message's status: the enum's order is the rank. Columns that a report does not change are not
 * written.
 */
export const moveForward = `
  previous_status = case when report.status > message.status then message.status else message.previous_status end,
  status = greatest(message.status, report.status),
  sent_at = coalesce(message.sent_at, report.sent_at),
  delivered_at = least(message.delivered_at, report.delivered_at),
  read_at = least(message.read_at, report.read_at),
  failed_at = least(message.failed_at, report.failed_at),
  reason = case when ${isEarlierFailure} then report.reason else message.reason end,
  code = case when ${isEarlierFailure} then report.code else message.code end,
  detail = case when ${isEarlierFailure} then report.detail else message.detail end`

export const changesMessage = `(report.status > message.status
  or report.delivered_at < coalesce(message.delivered_at, 'infinity') or report.read_at < coalesce(message.read_at, 'infinity')
  or (${isEarlierFailure})
  or (report.sent_at is not null and message.sent_at is null))`

/** What a message was before it is moved, and whether the provider had refused it on submission. */
export const before = `message.status as previous, message.status = 'failed' and message.previous_status is null as was_refused`

export const returning = `report.number, message.campaign_id as "campaignId", message.leg, report.previous, report.was_refused as "wasRefused",
  message.status, message.parts, message.price, message.billable_on as "billableOn",
  message.left_on as "leftOn", message.seq, message.reason`

/** The failed messages of a group. */
const ended = `case when status = 'failed' and previous <> 'failed'
  then json_build_object('seqs', array_agg(seq), 'reasons', array_agg(reason)) end as ended`

/** All messages of a group, if statuses have a subscriber, or the campaign has another leg: failovers are counted by status. */
const seqs = `case when has_subscribers($1, 'message.status') or exists (select from campaign_legs other
    where other.organization_id = $1 and other.campaign_id = moved."campaignId" and other.leg <> moved.leg)
  then array_agg(seq) end as seqs`

type Moving = {
  rows: string
  /** Joins each report with its messages of the day. */
  join(onDay: string): string
  /** Whether a report concerns the message that it was joined with; always if absent. */
  concernsMessage?: string
  isClockRough?: boolean
  /** The parameter with the report ids, if several messages may share one. */
  repeatableIds?: string
}

const ofSender = (onDay: string) => `organization_id = $1 and sender_id = $2 and ${onDay}`

/**
 * Joins by the ids of the reports, in one index scan that reads each index page once. Every message found has a report. The join
 * is a full join because the planner cannot choose a nested loop for one.
 */
export const joinByIds =
  (ids: string): Moving['join'] =>
  (onDay) =>
    `full join (
      select ctid, status, previous_status, sent_at, delivered_at, read_at, failed_at, code, phone, provider_message_id from messages
      where ${ofSender(onDay)} and provider_message_id = any(${ids}::text[])
    ) message on message.provider_message_id = report.id`

/** Joins by one index search for each report. The offset keeps the planner from joining first. */
export const joinEach =
  (where: string): Moving['join'] =>
  (onDay) =>
    `left join lateral (
      select ctid, status, previous_status, sent_at, delivered_at, read_at, failed_at, code from messages where ${ofSender(onDay)} and ${where}
      offset 0
    ) message on true`

/**
 * Finds the message of each report by an index and updates it where it was found. A message that another batch updated
 * meanwhile is gone from there: its report is returned as overtaken. So what a message was before is exact without locking it
 * first, and updated messages are returned counted. The planner estimates one row for the limit, which is a parameter, and so
 * chooses one search by ctid for each row: with the statistics of a new day it would scan the whole day for each batch, 3,300
 * reports a second instead of 11,000. With `isClockRough` no message ends before it was sent. With `repeatableIds` a report
 * concerns the newest message with its id; finding the older ones takes a tenth more time.
 */
function movedByPlace(
  onDay: string,
  { rows, join, concernsMessage, isClockRough = false, repeatableIds }: Moving,
): string {
  const endOf = (column: string) =>
    isClockRough
      ? `report.${column} + greatest(message.sent_at - report.${column}, interval '0') as ${column}`
      : `report.${column}`
  const place = concernsMessage ? `case when ${concernsMessage} then message.ctid end` : 'message.ctid'
  const isToMove = repeatableIds
    ? 'changes_message and place <> all (array(select place from older))'
    : 'changes_message'
  const ofAge = repeatableIds ? ', report.id, message.sent_at as left_at' : ''
  return `
  with known as materialized (
    select report.number, ${place} is not null and ${changesMessage} as changes_message, ${place} as place, report.status,
      report.sent_at, ${endOf('delivered_at')}, report.read_at, ${endOf('failed_at')}, report.reason, report.code,
      report.detail, ${before}${ofAge}
    from ${rows}
    ${join(onDay)}
  )${repeatableIds ? older(repeatableIds) : ''}, moved as (
    update messages as message set ${moveForward}
    from (select * from known where ${isToMove} limit $3) as report
    where message.ctid = report.place and message.${onDay}
    returning ${returning}
  )
  select "campaignId", leg, previous, "wasRefused", status, parts, price, "billableOn", "leftOn", count(*)::int as count, ${ended}, ${seqs},
    null::int[] as missing, null::int[] as overtaken
  from moved
  group by "campaignId", leg, previous, "wasRefused", status, parts, price, "billableOn", "leftOn"
  union all
  select null, null, null, null, null, null, null, null, null, found, null, null, missing,
    case when (select count(*) from moved) < movable
      then array(select number from known where ${isToMove} and number not in (select number from moved)) else '{}' end
  from (
    select count(*)::int as found, count(*) filter (where ${isToMove}) as movable,
      coalesce(array_agg(number) filter (where place is null), '{}') as missing
    from known
  ) as rest`
}

/**
 * Messages whose id a newer message has as well. Counting first is cheaper than numbering all rows, because repeated ids are
 * rare.
 */
const older = (ids: string) => `, older as materialized (
    select place from (
      select place, row_number() over (partition by number, id order by left_at desc nulls last) as age
      from known
      where place is not null and (select count(*) from known) > cardinality(${ids}::text[])
        and number in (select number from known group by number having count(*) > 1)
    ) as same_id
    where age > 1
  )`

/** More rows than a batch has: the limit is only a hint for the planner. */
const noLimit = 1_000_000

/** The statement of `movedByPlace` for one day. A literal day saves the search for its partition at each execution. */
export type Move = (day: string) => Statement

export function moveOfDay(name: string, moving: Moving): Move {
  const statements = new Map<string, Statement>()
  return (day) => {
    const known = statements.get(day)
    if (known) return known
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new RangeError(`Not a day: ${day}`)
    const statement = { name: `${name} ${day}`, text: movedByPlace(`created_on = date '${day}'`, moving) }
    statements.set(day, statement)
    return statement
  }
}

type Rest = { count: number; missing: number[]; overtaken: number[] }

type Asked = { day: string; key: Record<'organizationId' | 'senderId', string>; values: readonly unknown[] }

/**
 * Returns the changes, the rows without a message, the reports overtaken by another batch, and the number of pairs of report and
 * message, where a report without a message counts as one.
 */
export async function runMove(db: Queryable, move: Move, { day, key, values }: Asked) {
  const asked = [key.organizationId, key.senderId, noLimit, ...values]
  const answer = await run<(ChangedMessages & { missing: null }) | Rest>(db, move(day), asked)
  const rest = answer.filter((row) => row.missing !== null)
  return {
    changes: answer.filter((row) => row.missing === null),
    missing: rest.flatMap((row) => row.missing),
    overtaken: new Set(rest.flatMap((row) => row.overtaken)),
    found: rest.reduce((sum, { count }) => sum + count, 0),
  }
}
