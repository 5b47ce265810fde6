import { channelTraits } from '@carillon/contract/channels/table'
import { sql } from 'kysely'
import type { Channel } from '@carillon/contract/channels'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { fateLabels } from '@carillon/contract/figures'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { createLocalTime } from '../../lib/local-time.ts'
import { toRupees } from '../balance/index.ts'
import { adviseOn, type NamedCampaign } from '../campaigns/index.ts'
import {
  chooseRecipients,
  endedAt,
  joinClicker,
  joinLeg,
  ofCampaign,
  pageOf,
  wasAccepted,
  type ListedCampaign,
  type RecipientFilter,
} from '../messages/index.ts'

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
  clicked_at: Date | null
}

export type ReportLayout = {
  columns: readonly string[]
  phoneColumn: number | null
  timezone: string
  /** Whether recipients may have failed over to another channel. */
  hasChannels: boolean
  listed: ListedCampaign
  filter: RecipientFilter
}

const rowsPerPage = 5000

/** The report's columns: number, other columns of the file, and message status. */
export function reportHeader({ columns, phoneColumn, timezone, hasChannels, listed }: ReportLayout): string[] {
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
    ...(listed.hasLinks ? [`Clicked at (${timezone})`] : []),
  ]
}

/** The recipients of the filter in file order, page by page, each page in a short transaction. */
export async function* reportRows(
  scoped: RunTransaction,
  campaign: NamedCampaign,
  layout: ReportLayout,
): AsyncGenerator<(string | number)[]> {
  const instant = createLocalTime(layout.timezone, { seconds: true })
  for (let after = -1; ;) {
    const page = await scoped((db) => readPage(db, layout, after))
    for (const fate of page) yield presentFate(fate, { campaign, layout, instant })
    const last = page.at(-1)
    if (!last || page.length < rowsPerPage) return
    after = last.seq
  }
}

/** Parts and cost are those of all messages of a recipient, or with a leg, of that leg. */
async function readPage(db: Db, { listed, filter }: ReportLayout, after: number): Promise<Fate[]> {
  const { organizationId, audienceId, channel, legs } = listed
  const ofLeg = legs.flatMap(({ leg, draftLeg }) => (draftLeg === filter.leg ? [leg] : []))
  const counted = filter.leg === undefined ? sql`true` : sql`message.leg = any(${ofLeg}::smallint[])`
  const { rows } = await sql<Fate>`
    with chosen as materialized (${pageOf(chooseRecipients(listed, filter), { after, limit: rowsPerPage })})
    select chosen.seq, recipient.phone, recipient.variables, coalesce(own.channel, ${channel}::channel) as channel, message.status, message.reason, message.code,
      taken.parts, taken.price, message.sent_at, message.delivered_at, message.failed_at, clicker.first_at as clicked_at
    from chosen
    join recipients recipient on recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid
      and recipient.seq = chosen.seq
    left join messages message on ${ofCampaign(listed)} and message.seq = chosen.seq and message.leg = chosen.leg
    left join lateral (
      select sum(parts) filter (where ${wasAccepted('message')})::int as parts, sum(charge_of(status, price, billable_on))::float8 as price
      from messages message where ${ofCampaign(listed)} and message.seq = chosen.seq and ${counted}
    ) taken on true
    ${joinLeg(listed)}
    ${joinClicker(listed)}
    order by chosen.seq`.execute(db)
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
    ...(layout.listed.hasLinks ? [instant(fate.clicked_at)] : []),
  ]
}

function withoutPhone(cells: readonly string[], phoneColumn: number | null): string[] {
  return cells.filter((_, column) => column !== phoneColumn)
}
