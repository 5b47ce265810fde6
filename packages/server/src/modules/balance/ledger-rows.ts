import pg from 'pg'
import { entryParts } from './entry-parts.ts'

export type LedgerSpan = {
  organizationId: string
  /** Balances of this account and of those below. */
  path: string
  timezone: string
  from: string
  to: string
}

/**
 * The entries of the balances that an account sees in statements, as a text without parameters: its own, those of members below, and of a balance of
 * the organization that it uses as a member its own usage. Amounts are exact.
 */
export function ledgerRows({ organizationId, path, timezone, from, to }: LedgerSpan): string {
  const organization = `${pg.escapeLiteral(organizationId)}::uuid`
  const scope = `${pg.escapeLiteral(path)}::ltree`
  const zone = pg.escapeLiteral(timezone)
  return `
    with own as materialized (${balancesOf(organization, scope)}), entry as (
      select ledger_entries.id, at, op_key, reference, own.account as balance_id, own.holder, own.holder_path, own.is_own, ${entryParts}
      from own join ledger_entries on organization_id = ${organization} and (debit_account = own.account or credit_account = own.account)
      where at < day_start(${pg.escapeLiteral(to)}::date + 1, ${zone})
    ), balanced as (
      select entry.*, sum(amount) over (partition by balance_id order by at, id) as balance from entry
    )
    select entry.id, entry.at, entry.holder, entry.holder_path, entry.balance_id, entry.kind, entry.amount, campaign.name as campaign,
      case when is_own then entry.balance end as balance, ${description} as description
    from balanced entry
    left join campaigns campaign on campaign.organization_id = coalesce(below, ${organization}) and campaign.id = entry.campaign
    left join accounts lower_one on lower_one.id = below
    left join holds hold on not is_own and single and hold.organization_id = ${organization} and hold.op_key = 'single:' || entry.reference
    left join accounts sending on sending.organization_id = hold.organization_id and sending.id = hold.account_id
    left join conversation_charges talk on talk.organization_id = ${organization} and talk.id = entry.conversation
    left join senders talked on talked.organization_id = talk.organization_id and talked.id = talk.sender_id
    left join accounts talker on not is_own and talker.organization_id = talk.organization_id and talker.id = talk.account_id
    where entry.at >= day_start(${pg.escapeLiteral(from)}::date, ${zone})
      and (is_own or campaign.path <@ ${scope} or sending.path <@ ${scope} or talker.path <@ ${scope})`
}

/** As in `findMoneyAccount`. Members do not see the account of their organization, but their usage of its balance. */
const balancesOf = (organization: string, scope: string) => `
  select ledger.id as account, holder.name as holder, holder.path as holder_path, true as is_own
  from ledger_accounts ledger
  join accounts holder on holder.organization_id = ${organization} and holder.id = ledger.account_id
  where ledger.organization_id = ${organization} and holder.path <@ ${scope}
    and case when holder.id <> ${organization} then ledger.kind = 'balance' and ledger.closed_at is null
      else ledger.kind = case holder.role when 'admin' then 'issuance' else 'balance' end end
  union all
  select ledger.id, null, ${scope}, false from ledger_accounts ledger
  where ledger.organization_id = ${organization} and ledger.account_id = ${organization} and ledger.kind = 'balance'
    and not exists (select from accounts founder where founder.id = ${organization} and founder.path <@ ${scope})`

/** As `describeRow` describes lines. */
const description = `case
  when below is null and not single and entry.kind not in ('usage', 'refund') and entry.reference is not null then entry.reference
  when lower_one.id is not null and entry.kind = 'margin' then 'Paid for messages of ' || lower_one.name
  when lower_one.id is not null and entry.kind = 'refund'
    then 'Refund for messages of ' || lower_one.name || coalesce(', campaign ' || campaign.name, '')
  when lower_one.id is not null then 'Messages of ' || lower_one.name
  when campaign.id is not null then 'Campaign ' || campaign.name || case entry.kind when 'refund' then ', not delivered' else '' end
  when single then 'Single message'
  when talked.id is not null
    then case talk.conversations when 1 then 'One conversation' else talk.conversations || ' conversations' end || ' with ' || talked.name
  when entry.kind = 'refund' then 'Messages that were not delivered'
  when entry.kind = 'usage' then 'Messages'
  else '' end`
