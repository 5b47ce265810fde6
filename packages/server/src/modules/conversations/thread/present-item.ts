import { FailureClass } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import {
  ThreadEventKind,
  type MessageBody,
  type ThreadItem,
  type ThreadItemOf,
} from '@carillon/contract/conversation-records'
import { truncate } from '@carillon/contract/text'
import { getChannel } from '../../../channels/index.ts'
import { toRupees } from '../../balance/index.ts'
import { adviseOn } from '../../campaigns/index.ts'
import { appendLinks } from '../../links/index.ts'
import { endedAt, type CampaignMessage } from '../../messages/index.ts'
import {
  excerptOf,
  mentionsOf,
  readCampaignBody,
  type Annotations,
  type References,
  type ThreadRows,
} from './references.ts'
import type { DeliveryRow, EventRow, InboundRow, OutboundRow, Place } from './thread-rows.ts'

/** An item with its exact position. */
export type PlacedItem = { place: Place; item: ThreadItem }

/** The items of these rows, oldest first. */
export function presentRows(
  channel: Channel,
  { inbound, outbound, campaign, events }: ThreadRows,
  references: References,
): PlacedItem[] {
  const items: PlacedItem[] = [
    ...inbound.map((row) => ({ place: placeOf(row), item: presentInbound(channel, row, references) })),
    ...outbound.map((row) => ({ place: placeOf(row), item: presentOutbound(channel, row, references) })),
    ...campaign.map((row) => ({
      place: { micros: row.micros, id: row.campaign_id },
      item: presentCampaign(row, references),
    })),
    ...events.flatMap((row) => {
      const item = presentEvent(row, references)
      return item ? [{ place: placeOf(row), item }] : []
    }),
  ]
  return items.sort((one, other) => comparePlaces(one.place, other.place))
}

function placeOf({ micros, id }: Place): Place {
  return { micros, id }
}

/** In the order of PostgreSQL, which compares ids as bytes. */
export function comparePlaces(one: Place, other: Place): number {
  return one.micros - other.micros || (one.id < other.id ? -1 : Number(one.id > other.id))
}

function presentInbound(channel: Channel, row: InboundRow, references: References): ThreadItemOf<'inbound'> {
  const annotations = references.annotations.get(row.dedupe_key)
  const body = withMedia(getChannel(channel).readBody(row), references, row)
  return {
    kind: 'inbound',
    id: row.id,
    at: row.at.toISOString(),
    body: annotate(body, annotations),
    ...quote(row, references),
    reactions: annotations?.reactions ?? [],
    ...(row.campaign_id !== null && { campaignId: row.campaign_id }),
  }
}

function presentOutbound(channel: Channel, row: OutboundRow, references: References): ThreadItemOf<'outbound'> {
  const annotations = annotationsOf(row, references)
  const body = withMedia(getChannel(channel).readBody(row), references)
  return {
    kind: 'outbound',
    id: row.id,
    at: row.at.toISOString(),
    body: annotate(body, annotations),
    delivery: presentDelivery(channel, row, row.text),
    ...(row.author_id !== null && {
      author: presentAuthor({ actor_id: row.author_id, impersonated_by: row.impersonated_by }, references),
    }),
    source: row.kind === 'reply' && row.author_id === null ? 'bot' : row.kind,
    ...(row.client_id !== null && { clientId: row.client_id }),
    ...quote(row, references),
    reactions: annotations?.reactions ?? [],
  }
}

function presentCampaign(row: CampaignMessage, references: References): ThreadItemOf<'campaign'> {
  const annotations = annotationsOf(row, references)
  const { channel, content, variables, columns, seq } = row
  return {
    kind: 'campaign',
    id: row.campaign_id,
    at: row.at.toISOString(),
    campaignId: row.campaign_id,
    campaignName: row.name,
    body: annotate(withMedia(readCampaignBody(row), references), annotations),
    pieces: getChannel(channel).readLeg(content, { cells: appendLinks(content, variables, seq), columns }).pieces,
    delivery: presentDelivery(channel, row),
    reactions: annotations?.reactions ?? [],
  }
}

/** Undefined for a kind that is newer than this program. */
function presentEvent(row: EventRow, references: References): ThreadItem | undefined {
  const { id, kind, text, details } = row
  const at = row.at.toISOString()
  const actor = row.actor_id === null ? undefined : presentAuthor({ ...row, actor_id: row.actor_id }, references)
  if (kind === 'note') {
    const mentions = mentionsOf(row).map((_id) => ({ _id, name: nameOf(_id, references) }))
    return { kind: 'note', id, at, text: text ?? '', author: actor ?? { _id: id, name: '' }, mentions }
  }
  const { data: event } = ThreadEventKind.safeParse(kind)
  return event && { kind: 'event', id, at, event, ...(actor && { actor }), details: textsIn(details) }
}

function textsIn(details: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

type Acting = { actor_id: string; impersonated_by: string | null }

function presentAuthor({ actor_id: _id, impersonated_by: by }: Acting, references: References) {
  return { _id, name: nameOf(_id, references), ...(by !== null && { impersonatedBy: nameOf(by, references) }) }
}

/** Accounts that were deleted have no name any more. */
function nameOf(id: string, { names }: References): string {
  return names.get(id) ?? 'Former member'
}

export function presentDelivery(channel: Channel, row: DeliveryRow, text = ''): ThreadItemOf<'outbound'>['delivery'] {
  const reason = row.reason === null ? undefined : FailureClass.catch('unknown').parse(row.reason)
  const deliveredAt = endedAt(row.sent_at, row.delivered_at)
  const failedAt = endedAt(row.sent_at, row.failed_at)
  return {
    status: row.status ?? 'queued',
    parts: row.parts ?? getChannel(channel).countParts(text).parts,
    cost: toRupees(row.cost ?? 0),
    ...(reason && { reason, advice: adviceOn(reason, channel) }),
    ...(row.sent_at && { sentAt: row.sent_at.toISOString() }),
    ...(deliveredAt && { deliveredAt: deliveredAt.toISOString() }),
    ...(failedAt && { failedAt: failedAt.toISOString() }),
  }
}

function adviceOn(reason: FailureClass, channel: Channel): string {
  const { title, advice } = adviseOn(reason, channel)
  return `${title}. ${advice}`
}

function annotationsOf(
  { provider_message_id: id }: Pick<DeliveryRow, 'provider_message_id'>,
  { annotations }: References,
): Annotations | undefined {
  return id === null ? undefined : annotations.get(id)
}

/** The state and file of media: of an inbound message by its row, of one that was sent by the file itself. */
function withMedia(body: MessageBody, { files }: References, inbound?: InboundRow): MessageBody {
  const { media, ...rest } = body
  if (!media) return body
  const { fileId: sentId, ...described } = media
  const id = inbound ? inbound.file_id : sentId
  const file = id ? files.get(id) : undefined
  if (!inbound && !file) return rest
  const stored = file && { fileId: file.id, mimeType: file.mimeType, sizeBytes: file.sizeBytes }
  const state = file ? 'stored' : inbound?.media_state === 'waiting' ? 'waiting' : 'failed'
  return { ...rest, media: { name: file?.name, ...described, ...stored, state } }
}

/** A message as later ones changed it. A deleted one shows nothing of what it said. */
function annotate(body: MessageBody, annotations: Annotations | undefined): MessageBody {
  if (!annotations) return body
  const { edit, deletedAt, taps } = annotations
  if (deletedAt) return { type: body.type, text: '', deletedAt: deletedAt.toISOString() }
  const tapped = markTapped(body, taps)
  return edit ? { ...tapped, text: edit.body.text, editedAt: edit.at.toISOString() } : tapped
}

/** Marks the buttons with these texts. */
export function markTapped(body: MessageBody, taps: readonly string[]): MessageBody {
  if (taps.length === 0) return body
  type Buttons = NonNullable<MessageBody['buttons']>
  const mark = (buttons: Buttons) =>
    buttons.map((button) => (taps.includes(button.text) ? { ...button, isTapped: true } : button))
  return {
    ...body,
    ...(body.buttons && { buttons: mark(body.buttons) }),
    ...(body.cards && { cards: body.cards.map((card) => ({ ...card, buttons: mark(card.buttons) })) }),
  }
}

function quote(
  { in_reply_to: target }: Pick<InboundRow, 'in_reply_to'>,
  { targets, annotations }: References,
): Pick<ThreadItemOf<'inbound'>, 'inReplyTo'> {
  const quoted = target === null ? undefined : targets.get(target)
  if (!quoted || target === null) return {}
  const body = annotate(quoted.body, annotations.get(target))
  return { inReplyTo: { id: quoted.id, by: quoted.by, text: truncate(excerptOf(body), 200), type: body.type } }
}
