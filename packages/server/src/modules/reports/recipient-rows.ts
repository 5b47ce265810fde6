import { channelTraits } from '@carillon/contract/channels/table'
import { sql } from 'kysely'
import type { Channel } from '@carillon/contract/channels'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { fateLabels } from '@carillon/contract/figures'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { createLocalTime } from '../../lib/local-time.ts'
import { toRupees } from '../balance/index.ts'
import { adviseOn, type NamedCampaign } from '../campaigns/index.ts'
import { wasAccepted } from '../messages/index.ts'
import { endedAt } from '../messages/index.ts'

type Fate = {
  seq: number
  phone: number
  variables: string[]
  channel: Channel
  status: MessageStatus | null
  reason: string | null
  code: string | null
  parts: number | null
  price: number | null
  sent_at: Date | null
  delivered_at: Date | null
  failed_at: Date | null
}

export type ReportLayout = {
  columns: readonly string[]
  phoneColumn: number | null
  timezone: string
  /** Whether recipients may have failed over to another channel. */
  hasChannels: boolean
}

const rowsPerPage = 5000

/** The report's columns: number, other columns of the file, and message status. */
export function reportHeader({ columns, phoneColumn, timezone, hasChannels }: ReportLayout): string[] {
  return [
    'Number',
    ...withoutPhone(columns, phoneColumn),
    ...(hasChannels ? ['Channel'] : []),
    'Status',
    'Reason',
    'Code',
    'Parts',
    'Cost (₹)',
    `Sent at (${timezone})`,
    `Delivered at (${timezone})`,
    `Failed at (${timezone})`,
  ]
}

/** Every recipient in file order, page by page, each page in a short transaction. */
export async function* reportRows(
  scoped: RunTransaction,
  campaign: NamedCampaign,
  layout: ReportLayout,
): AsyncGenerator<(string | number)[]> {
  const instant = createLocalTime(layout.timezone, { seconds: true })
  for (let from = 0; ; from += rowsPerPage) {
    const page = await scoped((db) => readPage(db, campaign, from))
    for (const fate of page) yield presentFate(fate, { campaign, layout, instant })
    if (page.length < rowsPerPage) return
  }
}

async function readPage(
  db: Db,
  { organization_id, id, audience_id, created_on, channel }: NamedCampaign,
  from: number,
): Promise<Fate[]> {
  const { rows } = await sql<Fate>`
    select recipient.seq, phone, variables, coalesce(own.channel, ${channel}::channel) as channel, message.status, message.reason, message.code, taken.parts, taken.price,
      message.sent_at, message.delivered_at, message.failed_at
    from recipients recipient
    left join lateral (
      select leg, status, reason, code, sent_at, delivered_at, failed_at from messages
      where organization_id = ${organization_id}::uuid and campaign_id = ${id}::uuid and seq = recipient.seq and created_on = ${created_on}::date
        and not exists (select from leg_entries entry where entry.organization_id = ${organization_id}::uuid
          and entry.campaign_id = ${id}::uuid and entry.seq = recipient.seq and entry.leg > messages.leg)
    ) message on true
    left join lateral (
      select sum(parts) filter (where ${wasAccepted('messages')})::int as parts, sum(charge_of(status, price, billable_on))::float8 as price from messages
      where organization_id = ${organization_id}::uuid and campaign_id = ${id}::uuid and seq = recipient.seq and created_on = ${created_on}::date
    ) taken on true
    left join campaign_legs own on own.organization_id = ${organization_id}::uuid and own.campaign_id = ${id}::uuid and own.leg = message.leg
    where recipient.organization_id = ${organization_id}::uuid and audience_id = ${audience_id}::uuid and recipient.seq >= ${from} and recipient.seq < ${from + rowsPerPage}
    order by recipient.seq`.execute(db)
  return rows
}

type Presentation = { campaign: NamedCampaign; layout: ReportLayout; instant: (at: Date | null) => string }

function presentFate(fate: Fate, { campaign, layout, instant }: Presentation): (string | number)[] {
  const waiting = campaign.status === 'cancelled' || campaign.status === 'discarded' ? 'cancelled' : 'queued'
  return [
    String(fate.phone),
    ...withoutPhone(fate.variables, layout.phoneColumn),
    ...(layout.hasChannels ? [channelTraits[fate.channel].label] : []),
    fateLabels[fate.status ?? waiting],
    fate.reason === null ? '' : adviseOn(fate.reason, fate.channel).title,
    fate.code ?? '',
    fate.parts ?? 0,
    toRupees(fate.price ?? 0),
    instant(fate.sent_at),
    instant(endedAt(fate.sent_at, fate.delivered_at)),
    instant(endedAt(fate.sent_at, fate.failed_at)),
  ]
}

function withoutPhone(cells: readonly string[], phoneColumn: number | null): string[] {
  return cells.filter((_, column) => column !== phoneColumn)
}
