import { channelTraits } from '@carillon/contract/channels/table'
import { figuresOf } from '@carillon/contract/figures'
import type { AnyCampaign } from '@carillon/contract/campaign-lists'
import { call } from '../../../lib/call.ts'
import { csvBlob, type Cell } from '../../../lib/csv.ts'
import { download } from '../../../lib/download.ts'
import { accountZone, formatDateTime, roundRupees } from '../../../lib/format.ts'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { campaignStatusLabel } from '../../../ui/pill.tsx'
import { spentOf } from '../report/spent.ts'
import type { queryOf } from './all-campaigns-view.ts'

const perPage = 100
const mostPages = 20

type Query = Partial<ReturnType<typeof queryOf>>

/** Exports the campaigns of a view as CSV, up to two thousand, page by page; or only the given ones. */
export async function exportCampaigns(query: Query, ids?: ReadonlySet<string>) {
  const campaigns: AnyCampaign[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await call('campaigns.list', { query: { ...query, page, limit: perPage } })
    campaigns.push(...answer.campaigns)
    if (page >= answer.totalPages) break
  }
  const chosen = campaigns.filter(({ _id }) => !ids || ids.has(_id))
  await download(csvBlob([[...heads, `Created (${accountZone()})`], ...chosen.map(lineOf)]), 'campaigns.csv')
}

const heads = [
  'Campaign',
  'Organisation',
  'Created by',
  'Channel',
  'Template',
  'Status',
  'Recipients',
  'Sent',
  'Delivered',
  'Read',
  'Failed',
  'Clicked',
  'Replies',
  'Cost (₹)',
]

function lineOf(campaign: AnyCampaign): Cell[] {
  const { stats } = campaign
  const { sent, delivered, read, failed } = figuresOf(stats)
  return [
    campaign.campaignName,
    campaign.organization.name,
    campaign.account.name,
    channelLabel(campaign.channel),
    campaign.templateName,
    campaignStatusLabel(campaign.status),
    stats.total,
    sent,
    delivered,
    channelTraits[campaign.channel].hasReadReceipts ? read : '',
    failed,
    stats.clicked,
    stats.replied,
    { value: roundRupees(spentOf(stats)), decimals: 2 },
    formatDateTime(campaign.createdAt),
  ]
}
