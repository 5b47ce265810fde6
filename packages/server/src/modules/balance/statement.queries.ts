import type { StatementKind } from '@carillon/contract/billing'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { entryParts } from './entry-parts.ts'
import type { MoneyAccount } from './money-account.ts'

export type StatementRange = {
  money: MoneyAccount
  timezone: string
  /** Days in the account's time zone, both included. */
  from?: string | undefined
  to?: string | undefined
  kind?: StatementKind | undefined
}

export type StatementRow = {
  id: string
  at: Date
  kind: StatementKind
  campaignId: string | null
  campaignName: string | null
  /** The organisation below that sent the messages. */
  organizationName: string | null
  reference: string | null
  isSingle: boolean
  /** The sender with which people had conversations, and how many. */
  senderName: string | null
  conversations: number | null
  amount: number
  balance: number
}

export type StatementPage = {
  rows: StatementRow[]
  total: number
  opening: number
  closing: number
  moneyIn: number
  moneyOut: number
  /** Currently held. */
  held: number
  /** Whether the range ends now, so that its closing balance is the current one. */
  isCurrent: boolean
}

const nothing: StatementPage = {
  rows: [],
  total: 0,
  opening: 0,
  closing: 0,
  moneyIn: 0,
  moneyOut: 0,
  held: 0,
  isCurrent: true,
}

type Found = Omit<StatementPage, 'rows'> & { rows: (Omit<StatementRow, 'at'> & { at: string })[] | null }

/** Rounds half a paisa away from zero, like the contract's `roundToPaise`. */
const inPaise = (units: RawBuilder<unknown>) => sql`(round(${units} / 100.0) * 100)::bigint`

/**
 * A balance's movements as lines, each with the balance after it. Consecutive charges of one campaign are one line; so are
 * its refunds, single messages, conversations with one sender, and margins and costs of an organisation below. A new line starts with each day, and
 * whenever balance is moved, a campaign starts or a single message is sent, so that earlier lines never change: only lines
 * at the end grow. A line is placed at its first entry, the balance is a running sum in that order, rounded to paise, and an
 * amount is the difference of two displayed balances.
 */
export function statementLines({ money, timezone, from, to }: StatementRange): RawBuilder<unknown> {
  const { organizationId, ledgerAccount, account, isOwn } = money
  const begin = startOf({ from, timezone })
  return sql`
    with entry as (
      select id, at, op_key, reference, ${sql.raw(entryParts)}
      from ledger_entries cross join (select ${ledgerAccount}::uuid as account) own
      where organization_id = ${organizationId}::uuid and ${ledgerAccount}::uuid in (debit_account, credit_account)
    ), placed as (
      select entry.*, local_day(at, ${timezone}) as day,
        case when kind not in ('usage', 'refund', 'margin') then true
          when single or lag(single) over (order by at, id) then single is distinct from lag(single) over (order by at, id)
          else kind = 'usage' and below is null and campaign is not null
            and row_number() over (partition by kind, campaign, local_day(at, ${timezone}) order by at, id) = 1 end as begins
      from entry
      where at >= ${begin} and at < ${endOf({ to, timezone })}
    ), entry_of_run as (
      select placed.*, count(*) filter (where begins) over (order by at, id) as run from placed
    ), line as (
      select (array_agg(entry.id order by entry.at, entry.id))[1] as id, min(entry.at) as at, entry.kind, below, max(entry.op_key) as "opKey",
        case when below is null and not single and entry.kind not in ('usage', 'refund') then max(entry.reference) end as reference,
        max(talked.name) as "senderName", sum(talk.conversations)::int as conversations,
        campaign.id as "campaignId", max(campaign.name) as "campaignName", max(lower_one.name) as "organizationName",
        single as "isSingle", sum(entry.amount)::bigint as exact,
        coalesce(bool_or(campaign.path <@ ${account.path}::ltree), false) or coalesce(bool_or(sending.path <@ ${account.path}::ltree), false)
          or coalesce(bool_or(talker.path <@ ${account.path}::ltree), false) as own
      from entry_of_run entry
      left join campaigns campaign on campaign.organization_id = coalesce(below, ${organizationId}::uuid) and campaign.id = entry.campaign
      left join accounts lower_one on lower_one.id = below
      left join holds hold on ${!isOwn} and single and hold.organization_id = ${organizationId}::uuid and hold.op_key = 'single:' || entry.reference
      left join accounts sending on sending.organization_id = hold.organization_id and sending.id = hold.account_id
      left join conversation_charges talk on talk.organization_id = ${organizationId}::uuid and talk.id = entry.conversation
      left join senders talked on talked.organization_id = talk.organization_id and talked.id = talk.sender_id
      left join accounts talker on ${!isOwn} and talker.organization_id = talk.organization_id and talker.id = talk.account_id
      group by entry.day, entry.run, entry.kind, case when below is null then entry.campaign end, campaign.id, below, single, coalesce(sending.path <@ ${account.path}::ltree, false),
        talk.sender_id, coalesce(talker.path <@ ${account.path}::ltree, false),
        case when entry.kind in ('usage', 'refund', 'margin') then null else entry.id end
      having sum(entry.amount) <> 0
    ), opening as materialized (
      select coalesce(sum(amount), 0)::bigint as exact from entry where at < ${begin}
    ), added as (
      select line.*, opening.exact + sum(line.exact) over (order by at, id)::bigint as after from line, opening
    ), balanced as (
      select added.*, ${inPaise(sql`after`)} as balance, ${inPaise(sql`after`)} - ${inPaise(sql`(after - exact)`)} as amount from added
    )`
}

const startOf = ({ from, timezone }: Pick<StatementRange, 'from' | 'timezone'>) =>
  sql`coalesce(day_start(${from ?? null}::date, ${timezone}), '-infinity')`
const endOf = ({ to, timezone }: Pick<StatementRange, 'to' | 'timezone'>) =>
  sql`coalesce(day_start(${to ?? null}::date + 1, ${timezone}), 'infinity')`

/** A page of a statement, newest first. Opening and closing balance are those of the whole range, whatever the filter. */
export async function readStatement(
  db: Db,
  range: StatementRange,
  { limit, offset }: { limit: number; offset: number },
): Promise<StatementPage> {
  const { money, timezone, to, kind } = range
  const { organizationId, ledgerAccount, isOwn } = money
  if (!ledgerAccount) return nothing
  const { rows } = await sql<Found>`
    ${statementLines(range)}, chosen as (
      select * from balanced where (${kind ?? null}::text is null or kind = ${kind ?? null}) and (${isOwn} or own)
    )
    select
      (select json_agg(page) from (
        select id, at, kind, "campaignId", "campaignName", "organizationName", reference, "isSingle", "senderName", conversations, amount, balance
        from chosen order by at desc, id desc limit ${limit} offset ${offset}) page) as rows,
      (select count(*) from chosen) as total, ${inPaise(sql`opening.exact`)} as opening,
      ${inPaise(sql`(opening.exact + (select coalesce(sum(exact), 0) from line))`)} as closing,
      (select coalesce(sum(amount) filter (where amount > 0), 0) from chosen)::bigint as "moneyIn",
      (select coalesce(-sum(amount) filter (where amount < 0), 0) from chosen)::bigint as "moneyOut",
      (select ${inPaise(sql`posted`)} - ${inPaise(sql`(posted - held)`)} from ledger_accounts where organization_id = ${organizationId}::uuid and id = ${ledgerAccount}::uuid) as held,
      now() < ${endOf({ to, timezone })} as "isCurrent"
    from opening`.execute(db)
  const found = rows[0]
  return found ? { ...found, rows: (found.rows ?? []).map((row) => ({ ...row, at: new Date(row.at) })) } : nothing
}

/** The description of a line. */
export function describeRow(row: StatementRow): string {
  if (row.reference) return row.reference
  if (row.organizationName) return describeBelow(row)
  if (row.campaignId) return `Campaign ${row.campaignName ?? ''}${row.kind === 'refund' ? ', not delivered' : ''}`
  if (row.isSingle) return 'Single messages'
  if (row.senderName) return `${countConversations(row.conversations ?? 0)} with ${row.senderName}`
  if (row.kind === 'refund') return 'Messages that were not delivered'
  return row.kind === 'usage' ? 'Messages' : ''
}

function countConversations(count: number): string {
  return count === 1 ? 'One conversation' : `${count} conversations`
}

function describeBelow({ kind, organizationName, campaignName }: StatementRow): string {
  if (kind === 'margin') return `Paid for messages of ${organizationName}`
  if (kind !== 'refund') return `Messages of ${organizationName}`
  return `Refund for messages of ${organizationName}${campaignName ? `, campaign ${campaignName}` : ''}`
}
