import { createHash } from 'node:crypto'
import type { Graph } from './graph.ts'
import { readContact, readPlace } from './message-content.ts'
import { newMessageId } from './message-id.ts'
import type { Media, PhoneNumber, Row } from './objects.ts'
import { readPerson, waIdOf } from './people.ts'
import { type PhoneContent, type PhoneMedia, textOf } from './phone-content.ts'
import { isRow, needList, needOneOf, needRow, needText, readText } from './reading.ts'
import { errorOf } from './statuses.ts'

export const inboundTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'button',
  'interactive',
  'order',
  'system',
  'unsupported',
] as const
export type InboundType = (typeof inboundTypes)[number]

/** An inbound message: its type, the object of that type as in the webhook, and its context. */
export type Writing = {
  /** The person's number and the recipient phone number id. */
  from: string
  phoneNumberId: string
  message: Row
}

export type Written = { id: string; message: ReturnType<Graph['simulation']['handset']['reply']> }

/** Throws a GraphError that describes the invalid field. */
export function writeToBusiness(graph: Graph, { from, phoneNumberId, message }: Writing): Written {
  const number = graph.meta.numbers.get(phoneNumberId)
  if (!number) throw new RangeError(`There is no phone number ${phoneNumberId}`)
  const waId = waIdOf(from.replaceAll(/\D/g, ''))
  const type = needOneOf(message.type, inboundTypes, 'type')
  const id = newMessageId(waId)
  const { body, content } = readBody(graph, { number, message, type })
  const quotes = readQuote(message)

  graph.limits.countInbound(number)
  const wasOpen = graph.windows.isOpen(number.id, waId)
  graph.windows.open(number.id, waId, { isFromAd: message.referral !== undefined })
  graph.messages.addInbound({ id, phoneNumberId: number.id, waId, isRead: false, type })
  graph.analytics.countInbound({ wabaId: number.wabaId, phoneNumberId: number.id, waId, opensWindow: !wasOpen })
  graph.simulation.counts.inboundSent += 1
  postMessage(graph, number, {
    waId,
    message: { id, type, ...body, ...extras(message, { quotes, from: number.digits }) },
  })
  const shown = quotes === undefined ? content : { ...content, quotes }
  const reply = graph.simulation.handset.reply({
    channel: 'whatsapp',
    number: waId,
    peer: number.id,
    text: textOf(shown),
    parts: 1,
    encoding: 'utf8',
    account: number.wabaId,
    via: 'graph',
    entityId: undefined,
    templateId: undefined,
    reference: undefined,
    id,
    content: shown,
  })
  return { id, message: reply }
}

function postMessage(graph: Graph, number: PhoneNumber, { waId, message }: { waId: string; message: Row }) {
  const person = readPerson(graph.meta, waId)
  const { userId, username, hidesNumber, name } = person
  const contact = {
    profile: { name, ...(username === undefined ? {} : { username }) },
    ...(hidesNumber ? {} : { wa_id: waId }),
    ...(userId === undefined ? {} : { user_id: userId }),
  }
  const { id, ...rest } = message
  graph.outbox.post({
    wabaId: number.wabaId,
    phoneNumberId: number.id,
    field: 'messages',
    part: JSON.stringify({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.digits, phone_number_id: number.id },
      contacts: [contact],
      messages: [
        {
          ...(hidesNumber ? {} : { from: waId }),
          ...(userId === undefined ? {} : { from_user_id: userId }),
          id,
          timestamp: String(Math.floor(Date.now() / 1000)),
          ...rest,
        },
      ],
    }),
  })
}

function readQuote({ context, type }: Row): string | undefined {
  if (!isRow(context) || type === 'reaction') return undefined
  return readText(context, 'id') ?? readText(context, 'message_id')
}

function extras(message: Row, { quotes, from }: { quotes: string | undefined; from: string }): Row {
  const { context, referral, errors } = message
  const given = isRow(context) ? context : {}
  const { message_id: _messageId, ...rest } = given
  return {
    ...(quotes === undefined ? (isRow(context) ? { context: rest } : {}) : { context: { from, ...rest, id: quotes } }),
    ...(referral === undefined ? {} : { referral }),
    ...(errors === undefined ? {} : { errors }),
  }
}

type Given = { number: PhoneNumber; message: Row; type: InboundType }
type Body = { body: Row; content: PhoneContent }

function readBody(graph: Graph, given: Given): Body {
  const { message, type } = given
  if (type === 'text') {
    const body = needText(needRow(message, 'text'), 'body', { most: 65_536 })
    return { body: { text: { body } }, content: { type, body } }
  }
  if (type === 'image' || type === 'video' || type === 'audio' || type === 'document' || type === 'sticker')
    return readMediaBody(graph, given, type)
  if (type === 'contacts') {
    const contacts = needList(message, 'contacts')
    return { body: { contacts }, content: { type, contacts: contacts.map(readContact) } }
  }
  if (type === 'unsupported') return { body: { errors: [errorOf(131051)] }, content: { type, body: '[unsupported]' } }
  const object = needRow(message, type)
  return { body: { [type]: object }, content: { type, ...others[type]?.(object) } }
}

const others: Partial<Record<InboundType, (object: Row) => Partial<PhoneContent>>> = {
  location: (object) => ({ place: readPlace(object) }),
  button: (object) => ({ body: needText(object, 'text'), tapped: needText(object, 'payload') }),
  system: (object) => ({ body: readText(object, 'body') ?? '' }),
  order: (object) => ({ body: readText(object, 'text') ?? '[order]' }),
  reaction(object) {
    const emoji = readText(object, 'emoji')
    return { reaction: { messageId: needText(object, 'message_id'), ...(emoji ? { emoji } : {}) } }
  },
  interactive(object) {
    const reply = needRow(object, needText(object, 'type'))
    const tapped = readText(reply, 'id')
    const body = readText(reply, 'title') ?? readText(reply, 'body') ?? ''
    return tapped === undefined ? { body } : { body, tapped }
  },
}

const samples: Record<PhoneMedia['kind'], { mimeType: string; bytes: Buffer }> = {
  image: {
    mimeType: 'image/png',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  video: { mimeType: 'video/mp4', bytes: Buffer.from('a film of no length') },
  audio: { mimeType: 'audio/ogg; codecs=opus', bytes: Buffer.from('a note of no length') },
  document: { mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') },
  sticker: { mimeType: 'image/webp', bytes: Buffer.from('RIFF....WEBP') },
}

const keptInboundMs = 7 * 24 * 3_600_000

/** The person's file: base64 `bytes` with `mime_type`, or a sample of the type. */
function readMediaBody(graph: Graph, { number, message }: Given, kind: PhoneMedia['kind']): Body {
  const given = message[kind] === undefined ? {} : needRow(message, kind)
  const base64 = readText(given, 'bytes')
  const sample = samples[kind]
  const media = saveMedia(graph, {
    phoneNumberId: number.id,
    bytes: base64 === undefined ? sample.bytes : Buffer.from(base64, 'base64'),
    mimeType: readText(given, 'mime_type') ?? sample.mimeType,
    fileName: readText(given, 'filename'),
    keptMs: keptInboundMs,
  })
  const caption = readText(given, 'caption')
  const { bytes: _bytes, ...words } = given
  const object = {
    ...words,
    mime_type: media.mimeType,
    sha256: media.sha256,
    id: media.id,
    ...(kind === 'audio' ? { voice: given.voice === true } : {}),
    ...(kind === 'sticker' ? { animated: given.animated === true } : {}),
  }
  const { id, mimeType, fileName } = media
  return {
    body: { [kind]: object },
    content: {
      type: kind,
      media: { kind, id, mimeType, ...(fileName === undefined ? {} : { fileName }) },
      ...(caption === undefined ? {} : { body: caption }),
    },
  }
}

export type NewMedia = Pick<Media, 'phoneNumberId' | 'bytes' | 'mimeType' | 'fileName'> & { keptMs: number }

export function saveMedia(graph: Graph, { keptMs, ...fields }: NewMedia): Media {
  const media = {
    ...fields,
    id: graph.meta.nextId('media'),
    sha256: createHash('sha256').update(fields.bytes).digest('hex'),
    expiresAtMs: Date.now() + keptMs,
  }
  graph.meta.media.set(media.id, media)
  return media
}
