import { sql, type RawBuilder } from 'kysely'
import { daysBetweenIds, onDays } from '../../db/partition-days.ts'
import type { Db } from '../../db/pool.ts'
import type { InvoiceLine } from './invoice-lines.ts'
import { readStatement } from './statement.queries.ts'

export type Month = {
  /** First day. */
  month: string
  timezone: string
}

/** Organisations whose balances paid for messages in a month, with their issuer. */
export async function findBilled(db: Db, month: string): Promise<{ organizationId: string; timezone: string }[]> {
  const { rows } = await sql<{ organizationId: string; timezone: string }>`
    select account.id as "organizationId", account.timezone
    from accounts account
    where account.organization_id = account.id and account.parent_id is not null
      and exists (select from ledger_entries where organization_id = account.id and kind in ('capture', 'recharge', 'refund')
        and at >= ${month}::date - 1 and at < ${month}::date + interval '1 month' + interval '1 day')
      and not exists (select from invoices where organization_id = account.id and month = ${month}::date)
    order by account.id`.execute(db)
  return rows
}

type Usage = {
  channel: string | null
  category: string | null
  country: string | null
  organizationName: string | null
  kind: string
  isSingle: boolean
  rate: number | null
  amount: number
}

/**
 * What an organisation's balances paid for messages in a month, by channel, category, country and price where an entry
 * belongs to a campaign, and by organisation for messages of organisations below; refunds and the rest are separate lines.
 * The lines add up exactly to the amount paid.
 */
export async function readUsage(
  db: Db,
  { organizationId, month, timezone }: Month & { organizationId: string },
): Promise<InvoiceLine[]> {
  const days = await findDaysOfSingles(db, { organizationId, month, timezone })
  const { rows } = await sql<Usage>`
    with entry as (
      select kind, op_key ~ '^capture:[^:]+$' as single, (op_key ~ '^capture:[^:]+:' and op_key !~ ':usage$') or op_key ~ '^(refund|recharge):[^:]+:[^:]+' as of_campaign,
        split_part(op_key, ':', case kind when 'refund' then 4 else 3 end) as leg, amount, op_key ~ ':(usage|refund)$' as passed, reference,
        op_key ~ '^conversation:[^:]+$' as of_conversations,
        case when kind = 'refund' then -amount else amount end as signed
      from ledger_entries entry
      where organization_id = ${organizationId}::uuid and kind in ('capture', 'recharge', 'refund') and ${isOfMonth({ month, timezone })}
        and exists (select from ledger_accounts where organization_id = entry.organization_id and kind = 'balance'
          and id in (debit_account, credit_account))
    ), placed as (
      select entry.*, case when passed then split_part(reference, ':', 1)::uuid when of_campaign or of_conversations then ${organizationId}::uuid end as sender,
        case when passed then nullif(split_part(reference, ':', 2), '')::uuid when of_campaign or of_conversations then reference::uuid end as campaign
      from entry
    )
    select placed.kind, single as "isSingle", coalesce(leg.channel, talk.channel, sender.channel) as channel, coalesce(leg.category, leg.content ->> 'category', talk.category) as category, coalesce(leg.country, audience.default_country, talk.country) as country,
      case when sender <> ${organizationId}::uuid then founder.name end as "organizationName",
      coalesce(share.price, case when not passed then coalesce(leg.price, talk.price) end, message.price / nullif(message.parts, 0)) as rate, sum(signed)::bigint as amount
    from placed
    left join accounts founder on founder.id = sender
    left join campaigns campaign on campaign.organization_id = sender and campaign.id = placed.campaign
    left join audiences audience on audience.organization_id = sender and audience.id = campaign.audience_id
    left join campaign_legs leg on leg.organization_id = sender and leg.campaign_id = placed.campaign
      and leg.leg::text = case when placed.leg ~ '^\\d+$' then placed.leg else '0' end
      and (placed.kind = 'capture' or placed.leg ~ '^\\d+$' or not exists (select from campaign_legs other where other.organization_id = placed.sender
        and other.campaign_id = placed.campaign and other.leg > 0))
    left join conversation_charges talk on talk.organization_id = sender and talk.id = placed.campaign
    left join campaign_leg_shares share on passed and share.organization_id = sender and share.campaign_id = placed.campaign
      and share.leg = coalesce(leg.leg, case when talk.id is not null then 0 end) and share.ancestor_id = ${organizationId}::uuid
    left join single_sends sent on sent.organization_id = ${organizationId}::uuid and sent.id = case when single then placed.reference::uuid end
      and ${onDays('sent.created_on', days)}
    left join senders sender on sender.organization_id = sent.organization_id and sender.id = sent.sender_id
    left join messages message on message.organization_id = sent.organization_id and message.created_on = sent.created_on
      and message.campaign_id = sent.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}
    group by placed.kind, single, coalesce(leg.channel, talk.channel, sender.channel), coalesce(leg.category, leg.content ->> 'category', talk.category),
      coalesce(leg.country, audience.default_country, talk.country), "organizationName", rate
    having sum(signed) <> 0
    order by "organizationName" nulls first, placed.kind, channel, category, country, rate`.execute(db)
  return rows.map(presentUsage)
}

function isOfMonth({ month, timezone }: Month): RawBuilder<boolean> {
  return sql<boolean>`(at >= day_start(${month}::date, ${timezone})
    and at < day_start((${month}::date + interval '1 month')::date, ${timezone}))`
}

/** The days of the single sends that were paid in a month. */
async function findDaysOfSingles(
  db: Db,
  { organizationId, ...month }: Month & { organizationId: string },
): Promise<string[]> {
  // Ids as text sort by time.
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select min(reference collate "C") as first, max(reference collate "C") as last from ledger_entries
    where organization_id = ${organizationId}::uuid and kind = 'capture' and op_key ~ '^capture:[^:]+$' and ${isOfMonth(month)}`.execute(
    db,
  )
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? [] : daysBetweenIds(first, last)
}

function presentUsage(usage: Usage): InvoiceLine {
  const { rate, amount } = usage
  const counted = rate ? { rate, units: Math.round(amount / rate) } : {}
  return { kind: 'item', description: describe(usage), ...counted, amount }
}

function describe(usage: Usage): string {
  const { organizationName, channel, category, country, isSingle, kind } = usage
  const suffix = organizationName ? ` · ${organizationName}` : ''
  if (!channel) return `${isSingle ? 'Single messages' : describeMessages(kind)}${suffix}`
  const countryName = country === '*' ? undefined : country
  const detail = [category?.replaceAll('_', ' '), countryName].filter(Boolean).join(', ')
  const fate = { refund: ', not delivered', recharge: ', delivered after all' }[kind] ?? ''
  return `${channel.toUpperCase()} ${isSingle ? 'single messages' : detail}`.trimEnd() + fate + suffix
}

function describeMessages(kind: string): string {
  return (
    { refund: 'Messages that were not delivered', recharge: 'Refunded messages delivered later' }[kind] ?? 'Messages'
  )
}

/** The monthly total for messages as shown in the statements of an organisation's balances; the invoice matches it to the paisa. */
export async function readPaid(
  db: Db,
  { organizationId, month, timezone }: Month & { organizationId: string },
): Promise<number> {
  const { rows } = await sql<{ ledgerAccount: string; accountId: string; last: string }>`
    select id as "ledgerAccount", account_id as "accountId", to_char(${month}::date + interval '1 month' - interval '1 day', 'YYYY-MM-DD') as last
    from ledger_accounts where organization_id = ${organizationId}::uuid and kind = 'balance'
    order by id`.execute(db)
  let paid = 0
  for (const { ledgerAccount, accountId, last } of rows) {
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
    for (const kind of ['usage', 'refund'] as const) {
      const money = { account, organizationId, ledgerAccount, isOwn: true }
      const statement = await readStatement(
        db,
        { money, timezone, from: month, to: last, kind },
        { limit: 1, offset: 0 },
      )
      paid += statement.moneyOut - statement.moneyIn
    }
  }
  return paid
}
