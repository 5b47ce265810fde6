import { channelTraits } from '@carillon/contract/channels/table'
import { getChannel } from '../../channels/index.ts'
import { Readable } from 'node:stream'
import type { CampaignStats } from '@carillon/contract/campaign-records'
import { roundRupees } from '@carillon/contract/money'
import { fateLabels, figuresOf } from '@carillon/contract/figures'
import type { Db, RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { createLocalTime } from '../../lib/local-time.ts'
import { byteOrderMark, csvLine } from '../../lib/csv-write.ts'
import { writeXlsx, type Cell } from '../../lib/xlsx-write.ts'
import { getAudience } from '../audience/index.ts'
import { assertRecipientFilter, getNamedCampaign, percentOf, statsOf, type NamedCampaign } from '../campaigns/index.ts'
import { findListedCampaign, type RecipientFilter } from '../messages/index.ts'
import { reportHeader, reportRows, type ReportLayout } from './recipient-rows.ts'

export type ReportRequest = { actor: UserActor; campaignId: string }
/** A report of all recipients, or of those of a filter. */
type FileRequest = ReportRequest & { filter: RecipientFilter }

export async function getCampaignStatus(db: Db, { actor, campaignId }: ReportRequest) {
  const campaign = await getNamedCampaign(db, { id: campaignId, scope: actor.scope })
  const stats = await getStats(db, campaign)
  return { campaignId, status: campaign.status, stats, percent: percentOf(stats) }
}

/** Streams: the first line is sent before the last recipient is read. */
export async function downloadNumbers(scoped: RunTransaction, request: FileRequest): Promise<FileAnswer> {
  const { campaign, layout } = await scoped((db) => prepare(db, request))
  return {
    fileName: `${campaign.name}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from(csvPieces(scoped, campaign, layout), { objectMode: false }),
  }
}

const piecesOf = 64 * 1024

async function* csvPieces(
  scoped: RunTransaction,
  campaign: NamedCampaign,
  layout: ReportLayout,
): AsyncGenerator<string> {
  let text = `${byteOrderMark}${csvLine(reportHeader(layout))}`
  for await (const row of reportRows(scoped, campaign, layout)) {
    text += csvLine(row)
    if (text.length < piecesOf) continue
    yield text
    text = ''
  }
  yield text
}

export async function downloadWorkbook(scoped: RunTransaction, request: FileRequest): Promise<FileAnswer> {
  const { campaign, layout, stats } = await scoped((db) => prepare(db, request))
  const body = writeXlsx([
    { name: 'Summary', rows: summaryRows(campaign, stats, layout.timezone) },
    { name: 'Recipients', rows: withHeader(reportHeader(layout), reportRows(scoped, campaign, layout)) },
  ])
  return {
    fileName: `${campaign.name}.xlsx`,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    body: Readable.from(body, { objectMode: false }),
  }
}

async function* withHeader(header: string[], rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<readonly Cell[]> {
  yield header
  yield* rows
}

async function prepare(
  db: Db,
  { actor, campaignId, filter }: FileRequest,
): Promise<{ campaign: NamedCampaign; layout: ReportLayout; stats: CampaignStats }> {
  assertRecipientFilter(filter)
  const campaign = await getNamedCampaign(db, { id: campaignId, scope: actor.scope })
  const listed = await findListedCampaign(db, { organizationId: campaign.organization_id, campaignId })
  if (!listed) throw new Error(`Campaign ${campaignId} is gone`)
  const audience = campaign.audience_id
    ? await getAudience(db, { organizationId: campaign.organization_id, id: campaign.audience_id })
    : undefined
  const layout = {
    columns: audience?.columns ?? [],
    phoneColumn: audience?.phone_column ?? null,
    timezone: actor.timezone,
    hasChannels:
      channelTraits[campaign.channel].failoverTo.length > 0 ||
      listed.legs.some(({ channel }) => channel !== listed.channel),
    listed,
    filter,
  }
  return { campaign, layout, stats: await getStats(db, campaign) }
}

async function getStats(db: Db, campaign: NamedCampaign): Promise<CampaignStats> {
  const stats = (await statsOf(db, [campaign])).get(campaign.id)
  if (!stats) throw new Error(`Campaign ${campaign.id} has no numbers`)
  return stats
}

function summaryRows(campaign: NamedCampaign, stats: CampaignStats, timezone: string): Cell[][] {
  const localTime = createLocalTime(timezone, { seconds: true })
  const figures = figuresOf(stats)
  // As on the screen, and equal to the sum of the recipients' costs.
  const spent = roundRupees(stats.cost - stats.refunded)
  return [
    ['Campaign', campaign.name],
    ['Status', campaign.status],
    [getChannel(campaign.channel).senderHeading, campaign.account_name ?? ''],
    ['Header', campaign.header ?? ''],
    ['Template', campaign.template_name ?? ''],
    ['Text', campaign.body ?? ''],
    [`Started (${timezone})`, localTime(campaign.started_at)],
    [`Completed (${timezone})`, localTime(campaign.completed_at)],
    ['Recipients', stats.total],
    [fateLabels.queued, stats.queued],
    ['Sent', figures.sent],
    [fateLabels.delivered, figures.delivered],
    ...(channelTraits[campaign.channel].hasReadReceipts ? [[fateLabels.read, figures.read]] : []),
    [fateLabels.failed, figures.failed],
    [fateLabels.sent, figures.inFlight],
    [fateLabels.unconfirmed, figures.unconfirmed],
    [fateLabels.skipped, stats.skipped],
    [fateLabels.cancelled, stats.cancelled],
    ['Clicked', stats.clicked],
    ['Replies', stats.replied],
    ['Parts', stats.parts],
    ['Charged (₹)', roundRupees(stats.cost)],
    ['Refunded (₹)', roundRupees(roundRupees(stats.cost) - spent)],
    ['Cost (₹)', spent],
  ]
}
