import type { Channel } from '@carillon/contract/channels'
import type { MessageRecord, NumberMessage } from '@carillon/contract/messages'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { within, type Scope } from '../../../db/scope.ts'
import { notFound } from '../../../lib/problem.ts'
import { toRupees } from '../../balance/index.ts'
import type { ReadMessage } from '../../../channels/channel.ts'
import { getChannel } from '../../../channels/index.ts'
import { daysOfIds, onDays } from '../../../db/partition-days.ts'
import { appendLinks } from '../../links/index.ts'
import { endedAt, presentResponse, type ResponseRow } from './responses.ts'

type NumberRow = ResponseRow & {
  campaign_id: string | null
  campaign_name: string
  channel: Channel
  header: string
  text: string
  /** For a campaign's message: the frozen content of its leg, and the recipient's values. */
  content: unknown
  columns: string[] | null
  variables: string[] | null
}

const fate = sql.raw(`message.reason, message.code, message.parts,
  charge_of(message.status, message.price, message.billable_on) as cost, message.sent_at, message.delivered_at, message.failed_at`)

/**
 * Messages to a number within the scope, newest first. Messages have no index on the number, which would slow down every
 * insert; audiences have one, so each campaign of the period is searched by its audience.
 */
export async function messagesByNumber(
  db: Db,
  { scope, phone, from, limit }: { scope: Scope; phone: number; from: Date; limit: number },
): Promise<{ messages: NumberMessage[]; optedOutAt: string | null }> {
  const { rows } = await sql<NumberRow>`
    select * from (
      select message.seq, recipient.phone, message.status, ${fate}, clicker.first_at as clicked_at, null as reply, campaign.id as campaign_id, campaign.name as campaign_name,
        leg.channel::text, coalesce(leg.content->>'header', sender.name) as header,
        '' as text, leg.content, audience.columns,
        recipient.variables, coalesce(message.sent_at, campaign.created_at) as at
      from campaigns campaign
      join recipients recipient on recipient.organization_id = campaign.organization_id and recipient.audience_id = campaign.audience_id
        and recipient.phone = ${phone}::bigint
      join audiences audience on audience.organization_id = campaign.organization_id and audience.id = campaign.audience_id
      join messages message on message.organization_id = campaign.organization_id and message.created_on = campaign.created_on
        and message.campaign_id = campaign.id and message.seq = recipient.seq
      join campaign_legs leg on leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id and leg.leg = message.leg
      join senders sender on sender.organization_id = leg.organization_id and sender.id = leg.sender_id
      left join campaign_clickers clicker on clicker.organization_id = campaign.organization_id and clicker.campaign_id = campaign.id
        and clicker.seq = recipient.seq
      where campaign.organization_id = ${scope.organizationId}::uuid and campaign.created_at >= ${from} and ${within(scope, 'campaign.path')}
      union all
      select 0, single.phone, coalesce(message.status, 'queued'), ${fate}, null, null, single.campaign_id, coalesce(campaign.name, ''),
        sender.channel::text, single.header, single.text, null, null, null, single.created_at
      from single_sends single
      join senders sender on sender.organization_id = single.organization_id and sender.id = single.sender_id
      left join campaigns campaign on campaign.organization_id = single.organization_id and campaign.id = single.campaign_id
      left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
        and message.campaign_id = single.id and message.seq = 0 and message.leg = 0
      where single.organization_id = ${scope.organizationId}::uuid and single.phone = ${phone}::bigint and single.created_at >= ${from}
        and single.created_on >= ${from}::timestamptz::date and ${within(scope, 'single.path')}
    ) messages
    order by at desc
    limit ${limit}`.execute(db)
  const optOut = await db
    .selectFrom('opt_outs')
    .select('at')
    .where('organization_id', '=', scope.organizationId)
    .where('phone', '=', phone)
    .orderBy('at')
    .executeTakeFirst()
  return { messages: rows.map(presentNumberMessage), optedOutAt: optOut?.at.toISOString() ?? null }
}

function presentNumberMessage(row: NumberRow): NumberMessage {
  const { campaign_id: campaignId, campaign_name: campaignName, channel, header } = row
  return {
    ...presentResponse(row),
    campaignId,
    campaignName,
    channel,
    header,
    ...readMessage(row),
  }
}

/** The text as delivered. */
function readMessage({ channel, text, content, columns, variables, seq }: NumberRow): ReadMessage {
  if (!content) return { text, pieces: [{ text }] }
  return getChannel(channel).readLeg(content, {
    cells: appendLinks(content, variables ?? [], seq),
    columns: columns ?? [],
  })
}

type SingleRow = Omit<ResponseRow, 'phone'> & {
  id: string
  phone: number | null
  detail: string | null
  priority_parts: number | null
}

/** A single send and its status. */
export async function getSingle(db: Db, { scope, id }: { scope: Scope; id: string }): Promise<MessageRecord> {
  const days = daysOfIds([id])
  const { rows } = await sql<SingleRow>`
    select single.id, 0 as seq, single.phone, coalesce(message.status, 'queued') as status, ${fate}, message.detail, queued.parts as priority_parts
    from single_sends single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0 and ${onDays('message.created_on', days)}
    left join priority_messages queued on queued.organization_id = single.organization_id and queued.id = single.id
    where single.organization_id = ${scope.organizationId}::uuid and single.id = ${id}::uuid and ${within(scope, 'single.path')}
      and ${onDays('single.created_on', days)}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Message')
  const deliveredAt = endedAt(row.sent_at, row.delivered_at)
  return {
    _id: row.id,
    ...(row.phone === null ? {} : { phoneNumber: `+${row.phone}` }),
    status: row.status,
    parts: row.parts ?? row.priority_parts ?? 1,
    cost: toRupees(row.cost ?? 0),
    ...(row.reason ? { reason: row.reason } : {}),
    ...(row.detail ? { detail: row.detail } : {}),
    ...(row.sent_at ? { sentAt: row.sent_at.toISOString() } : {}),
    ...(deliveredAt ? { deliveredAt: deliveredAt.toISOString() } : {}),
  }
}
