import type { StatementKind } from '@carillon/contract/billing'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { MoneyAccount } from './money-account.ts'

export type StatementRange = {
  money: MoneyAccount
  timezone: string
  /** Days as the account's clock has them, both included. */
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
  /** The organisation below whose messages they were. */
  organizationName: string | null
  reference: string | null
  isSingle: boolean
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
}

const nothing: StatementPage = { rows: [], total: 0, opening: 0, closing: 0, moneyIn: 0, moneyOut: 0 }

type Found = {
  rows: (Omit<StatementRow, 'at'> & { at: string })[] | null
  total: number
  opening: number
  closing: number
  moneyIn: number
  moneyOut: number
}

/**
 * A page of a balance's movements, newest first, each with the balance after it. What a campaign cost is one line a day, so
 * are what it gave back, single messages, and what the messages of an organisation below earned and cost. Opening and closing
 * are those of the whole range, whatever is filtered.
 */
export async function readStatement(
  db: Db,
  { money, timezone, from, to, kind }: StatementRange,
  { limit, offset }: { limit: number; offset: number },
): Promise<StatementPage> {
  const { organizationId, ledgerAccount, account, isOwn } = money
  if (!ledgerAccount) return nothing
  const begin = sql`coalesce(${from ?? null}::date::timestamp at time zone ${timezone}, '-infinity')`
  const end = sql`coalesce((${to ?? null}::date + 1)::timestamp at time zone ${timezone}, 'infinity')`
  const { rows } = await sql<Found>`
    with entry as (
      select id, at, reference, case when credit_account = ${ledgerAccount}::uuid then amount else -amount end as amount,
        case kind when 'capture' then 'usage' when 'recharge' then 'usage' when 'margin_back' then 'margin' when 'issue' then 'transfer_out'
          when 'transfer_in' then case when credit_account = ${ledgerAccount}::uuid then 'transfer_in' else 'transfer_out' end
          when 'topup' then case when credit_account = ${ledgerAccount}::uuid then 'topup' else 'transfer_out' end
          else kind end as kind,
        op_key ~ '^capture:[^:]+$' as single,
        case when kind in ('capture', 'refund', 'margin', 'margin_back') and op_key ~ ':(usage|margin|refund)$' then split_part(reference, ':', 1)::uuid end as below,
        case when kind = 'capture' and op_key ~ '^capture:[^:]+:' and op_key !~ ':usage$' then reference::uuid
          when op_key ~ '^(refund|recharge):[^:]+:[^:]+$' then reference::uuid
          when kind = 'refund' and op_key ~ ':refund$' then nullif(split_part(reference, ':', 2), '')::uuid end as campaign
      from ledger_entries
      where organization_id = ${organizationId}::uuid and ${ledgerAccount}::uuid in (debit_account, credit_account)
    ), line as (
      select (array_agg(entry.id order by entry.at desc, entry.id desc))[1] as id, max(entry.at) as at, entry.kind,
        case when below is null and not single and entry.kind not in ('usage', 'refund') then max(entry.reference) end as reference,
        campaign.id as "campaignId", max(campaign.name) as "campaignName", max(lower_one.name) as "organizationName",
        single as "isSingle", sum(entry.amount)::bigint as amount,
        coalesce(bool_or(campaign.path <@ ${account.path}::ltree), false) or coalesce(bool_or(sent.path <@ ${account.path}::ltree), false) as own
      from entry
      left join campaigns campaign on campaign.organization_id = coalesce(below, ${organizationId}::uuid) and campaign.id = entry.campaign
      left join accounts lower_one on lower_one.id = below
      left join single_sends sent on ${!isOwn} and single and sent.organization_id = ${organizationId}::uuid and sent.id::text = entry.reference
      where entry.at >= ${begin} and entry.at < ${end}
      group by (entry.at at time zone ${timezone})::date, entry.kind, case when below is null then entry.campaign end, campaign.id, below, single, sent.path is not null,
        case when entry.kind in ('usage', 'refund', 'margin') then null else entry.id end
      having sum(entry.amount) <> 0
    ), opening as materialized (
      select coalesce(sum(amount), 0)::bigint as opening from entry where at < ${begin}
    ), balanced as (
      select line.*, opening + sum(amount) over (order by at, id)::bigint as balance from line, opening
    ), chosen as (
      select * from balanced where (${kind ?? null}::text is null or kind = ${kind ?? null}) and (${isOwn} or own)
    )
    select
      (select json_agg(page) from (
        select id, at, kind, "campaignId", "campaignName", "organizationName", reference, "isSingle", amount, balance
        from chosen order by at desc, id desc limit ${limit} offset ${offset}) page) as rows,
      (select count(*) from chosen) as total, opening, opening + (select coalesce(sum(amount), 0) from line)::bigint as closing,
      (select coalesce(sum(amount) filter (where amount > 0), 0) from chosen)::bigint as "moneyIn",
      (select coalesce(-sum(amount) filter (where amount < 0), 0) from chosen)::bigint as "moneyOut"
    from opening`.execute(db)
  const found = rows[0]
  return found ? { ...found, rows: (found.rows ?? []).map((row) => ({ ...row, at: new Date(row.at) })) } : nothing
}

/** What a line says of itself. */
export function describeRow(row: StatementRow): string {
  if (row.reference) return row.reference
  if (row.organizationName) return describeBelow(row)
  if (row.campaignId) return `Campaign ${row.campaignName ?? ''}${row.kind === 'refund' ? ', not delivered' : ''}`
  if (row.isSingle) return 'Single messages'
  if (row.kind === 'refund') return 'Messages that were not delivered'
  return row.kind === 'usage' ? 'Messages' : ''
}

function describeBelow({ kind, organizationName, campaignName }: StatementRow): string {
  if (kind === 'margin') return `Paid for messages of ${organizationName}`
  if (kind !== 'refund') return `Messages of ${organizationName}`
  return `Refund for messages of ${organizationName}${campaignName ? `, campaign ${campaignName}` : ''}`
}
