import { FailureClass } from '@carillon/contract/campaign-records'
import { fateLabels } from '@carillon/contract/figures'
import type { ReportType } from '@carillon/contract/report-file-records'
import { builtChannels } from '../../channels/index.ts'
import { adviseOn } from '../campaigns/index.ts'
import { clicksOfRecipients } from './click-rows.ts'
import { figuresOfCampaigns, figuresOfSingles, sumFigures } from './figure-rows.ts'
import {
  chargedConversations,
  countedOfCampaigns,
  countedOfSingles,
  rowsOfCampaign,
  rowsOfSingles,
  type CampaignRange,
} from './message-rows.ts'
import {
  channelLabel,
  count,
  day,
  lookUp,
  money,
  percent,
  rupees,
  text,
  time,
  type ReportColumn,
} from './report-columns.ts'
import type { Covered, ReportEntry } from './report-entry.ts'
import { literal, type CoveredOrganization, type ReportSpan } from './report-span.ts'
import { agentPerformance } from './types/agent-performance.ts'
import { apiUsage } from './types/api-usage.ts'
import { auditLog } from './types/audit-log.ts'
import { conversationDetail } from './types/conversation-detail.ts'
import { ledgerStatement } from './types/ledger-statement.ts'
import { templatePerformance } from './types/template-performance.ts'
import { webhookDelivery } from './types/webhook-delivery.ts'

/** Of the first click. */
const deviceLabels = { android: 'Android', ios: 'iOS', computer: 'Computer', other: 'Other' }

const adviceBy = (part: 'title' | 'advice') =>
  Object.fromEntries(
    builtChannels().flatMap((channel) =>
      FailureClass.options.map((reason) => [`${channel}:${reason}`, adviseOn(reason, channel)[part]]),
    ),
  )
/** The reason in words; a reason without words as `unknown`. */
const reasonIn = (part: 'title' | 'advice') => {
  const entries = adviceBy(part)
  return `case when reason is not null then coalesce(${lookUp(entries, `(channel || ':' || reason)`)}, ${lookUp(entries, `(channel || ':unknown')`)}) end`
}
const reasonTitle = reasonIn('title')

/** A provider may report an end that lies before the time at which we recorded the message as sent. */
const notBeforeSent = (at: string) => `case when ${at} is not null then greatest(${at}, sent_at) end`

const messageColumns = ({ timezone }: ReportSpan): ReportColumn[] => [
  day,
  text('organization', 'Organization', 'organization'),
  text('source', 'Source', 'source'),
  text('campaign', 'Campaign', 'campaign'),
  text('account', 'Account', 'account'),
  { key: 'number', title: 'Number', unit: 'phone', value: 'phone' },
  text('channel', 'Channel', channelLabel),
  text('sender', 'Sender', 'sender'),
  text('template', 'Template', 'template'),
  { key: 'leg', title: 'Leg', unit: 'count', value: 'leg' },
  text('variant', 'Variant', 'variant'),
  text('status', 'Status', lookUp(fateLabels, 'status::text')),
  text('reason', 'Reason', reasonTitle),
  text('code', 'Code', 'code'),
  count('parts', 'Parts'),
  rupees('price', 'Price', 'charged'),
  rupees('cost', 'Cost', 'cost'),
  time('sentAt', 'Sent at', { value: 'sent_at', timezone }),
  time('deliveredAt', 'Delivered at', { value: notBeforeSent('delivered_at'), timezone }),
  time('readAt', 'Read at', { value: notBeforeSent('read_at'), timezone }),
  time('failedAt', 'Failed at', { value: notBeforeSent('failed_at'), timezone }),
  text('reference', 'Reference', 'reference'),
]

const allMessages = ({ organization, span, stored }: Covered) =>
  span.campaignId === null
    ? `${countedOfCampaigns(organization, span, stored)} union all ${countedOfSingles(organization, span, stored)}`
    : countedOfCampaigns(organization, span, stored)

export const reportEntries: Record<ReportType, ReportEntry> = {
  campaign_summary: {
    rows: 'groups',
    columns: ({ timezone }) => [
      day,
      text('organization', 'Organization', 'organization'),
      text('campaign', 'Campaign', 'campaign'),
      text('account', 'Account', 'account'),
      text('channel', 'Channel', channelLabel),
      text('status', 'Status', 'campaign_status'),
      count('messages', 'Messages'),
      count('sent', 'Sent', 'submitted'),
      count('delivered', 'Delivered'),
      count('read', 'Read'),
      count('inFlight', 'In flight', 'in_flight'),
      count('failed', 'Failed'),
      count('unconfirmed', 'Unconfirmed'),
      count('skipped', 'Skipped'),
      percent('deliveryRate', 'Delivered', { part: 'delivered', whole: 'submitted' }),
      percent('readRate', 'Read', { part: 'read', whole: 'submitted' }),
      count('parts', 'Parts'),
      ...money,
      time('startedAt', 'Started at', { value: 'started_at', timezone }),
      time('completedAt', 'Completed at', { value: 'completed_at', timezone }),
    ],
    source: ({ organization, span }) => `
      select ${literal(organization.name)} as organization, campaign.name as campaign, account.name as account,
        campaign.status::text as campaign_status, campaign.started_at, campaign.completed_at, sums.*
      from (select campaign_id, day, channel, ${sumFigures} from (${figuresOfCampaigns(organization, span)}) figures
        group by campaign_id, day, channel) sums
      join campaigns campaign on campaign.organization_id = ${literal(organization.organizationId)}::uuid and campaign.id = sums.campaign_id
      left join accounts account on account.id = campaign.created_by
      order by day, campaign.created_at, campaign.id, channel`,
  },
  campaign_detailed: {
    rows: 'messages',
    includesSingles: false,
    columns: (span) => [
      ...messageColumns(span).filter(({ key }) => key !== 'source' && key !== 'reference'),
      time('clickedAt', 'Clicked at', { value: 'clicked_at', timezone: span.timezone }),
    ],
  },
  delivery_log: { rows: 'messages', includesSingles: true, columns: messageColumns },
  link_clicks: {
    rows: 'groups',
    columns: ({ timezone }) => [
      { ...day, value: 'sent_on' },
      text('organization', 'Organization', 'organization'),
      text('campaign', 'Campaign', 'campaign'),
      text('account', 'Account', 'account'),
      text('channel', 'Channel', channelLabel),
      { key: 'leg', title: 'Leg', unit: 'count', value: 'leg' },
      text('variant', 'Variant', 'variant'),
      text('variable', 'Variable', 'variable'),
      text('page', 'Page', 'page'),
      { key: 'number', title: 'Number', unit: 'phone', value: 'phone' },
      time('firstClickAt', 'First click at', { value: 'first_at', timezone }),
      time('lastClickAt', 'Last click at', { value: 'last_at', timezone }),
      count('clicks', 'Clicks'),
      text('device', 'Device', lookUp(deviceLabels, 'device')),
    ],
    source: clicksOfRecipients,
  },
  failure_analysis: {
    rows: 'groups',
    columns: () => [
      text('organization', 'Organization', 'organization'),
      text('channel', 'Channel', channelLabel),
      text('status', 'Status', lookUp(fateLabels, 'status::text')),
      text('reason', 'Reason', reasonTitle),
      text('code', 'Code', 'code'),
      count('messages', 'Messages'),
      percent('share', 'Share of status', { part: 'messages', whole: 'of_status' }),
      text('advice', 'What to do', reasonIn('advice')),
    ],
    source: (covered) => `
      select ${literal(covered.organization.name)} as organization, null::date as day, channel, status, reason, code, count(*) as messages,
        sum(count(*)) over (partition by status) as of_status,
        count(*) filter (where accepted) as submitted, 0 as delivered, count(*) filter (where status = 'failed') as failed
      from (${allMessages(covered)}) counted where status in ('failed', 'skipped')
      group by channel, status, reason, code
      order by messages desc, channel, status, reason, code`,
  },
  usage_and_billing: {
    rows: 'groups',
    columns: () => [
      text('organization', 'Organization', 'organization'),
      text('account', 'Account', 'account'),
      text('channel', 'Channel', channelLabel),
      text('category', 'Category', 'category'),
      text('country', 'Country', 'country'),
      count('messages', 'Messages'),
      count('sent', 'Sent', 'submitted'),
      count('parts', 'Parts'),
      count('conversations', 'Conversations'),
      ...money,
    ],
    source: ({ organization, span }) => `
      select ${literal(organization.name)} as organization, null::date as day, account.name as account, channel,
        category, country, sum(messages) as messages, sum(submitted) as submitted, 0 as delivered, 0 as failed, sum(parts) as parts,
        sum(conversations) as conversations, sum(charged) as charged, sum(cost) as cost
      from (
        select account_id, channel, category, country, 0 as conversations, messages, submitted, parts, charged, cost
        from (${figuresOfCampaigns(organization, span)}${span.campaignId === null ? ` union all ${figuresOfSingles(organization, span)}` : ''}) figures
        ${span.campaignId === null ? `union all ${conversationsOf(organization, span)}` : ''}
      ) used
      left join accounts account on account.id = used.account_id
      group by used.account_id, account.name, channel, category, country
      order by account.name, used.account_id, channel, category, country`,
  },
  template_performance: templatePerformance,
  ledger_statement: ledgerStatement,
  api_usage: apiUsage,
  webhook_delivery: webhookDelivery,
  conversation_detail: conversationDetail,
  agent_performance: agentPerformance,
  audit_log: auditLog,
}

function conversationsOf(organization: CoveredOrganization, span: ReportSpan): string {
  return `select account_id, channel, category, country, conversations, 0, 0, 0, cost, cost
    from (${chargedConversations(organization, span)}) charge (account_id, channel, category, country, conversations, cost)`
}

/** What the rows of a detailed report of one campaign have besides: the columns of its audience, without the number. */
export type UploadedColumns = { names: readonly string[]; phoneColumn: number | null }

export function columnsOf(
  span: ReportSpan,
  { isOfSeveral, uploaded }: { isOfSeveral: boolean; uploaded: UploadedColumns | undefined },
): ReportColumn[] {
  const entry = reportEntries[span.type]
  const columns = entry.columns(span).filter(({ key }) => isOfSeveral || key !== 'organization')
  if (entry.rows !== 'messages' || !uploaded) return columns
  return [
    ...columns,
    ...uploaded.names.flatMap((name, index) =>
      index === uploaded.phoneColumn ? [] : [text(`variable${index + 1}`, name, `variables[${index + 1}]`)],
    ),
  ]
}

/** Of one statement: a range of a campaign, single messages of a day, or all groups of an organisation. */
export type Piece = Covered & ({ range: CampaignRange } | { singlesOn: string } | { groups: true })

/** The figures by day that precede the columns in each row. */
export const hiddenColumns = 4

/** The statement of a piece: day, sent, delivered and failed, then the columns. */
export function statementOf(piece: Piece, columns: readonly ReportColumn[]): string {
  const values = columns.map(({ value }) => value).join(', ')
  if ('groups' in piece) {
    const entry = reportEntries[piece.span.type]
    if (entry.rows !== 'groups') throw new Error(`A report of type ${piece.span.type} has no groups`)
    return `select day, submitted, delivered, failed, ${values} from (${entry.source(piece)}) source`
  }
  return `select day, accepted::int, (status in ('delivered', 'read'))::int, (status = 'failed')::int, ${values}
    from (${sourceOf(piece)}) source order by place, attempt`
}

function sourceOf(piece: Exclude<Piece, { groups: true }>): string {
  const { organization, span } = piece
  return 'range' in piece
    ? rowsOfCampaign(organization, span, piece.range)
    : rowsOfSingles(organization, span, piece.singlesOn)
}
