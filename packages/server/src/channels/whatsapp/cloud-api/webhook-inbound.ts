import type { InboundMessage, ProviderEvent } from '../../provider.ts'
import { rowOf, rowsOf, stringOf, type Row } from '../../read-json.ts'
import { instantOf } from './json.ts'
import { lineOf } from './webhook-status.ts'

type TextOf = (part: Row, message: Row) => string | undefined

/** The readable text of each message type; everything else is in `content`, in Meta's format. */
const words: ReadonlyMap<string, TextOf> = new Map<string, TextOf>([
  ['text', (part: Row) => stringOf(part['body'])],
  ['image', captionOf],
  ['video', captionOf],
  ['document', (part: Row) => captionOf(part) ?? stringOf(part['filename'])],
  ['audio', () => ''],
  ['sticker', () => ''],
  ['location', (part: Row) => [stringOf(part['name']), stringOf(part['address'])].filter(Boolean).join(', ')],
  ['contacts', (_part: Row, message: Row) => namesOf(message['contacts'])],
  ['reaction', (part: Row) => stringOf(part['emoji'])],
  ['button', (part: Row) => stringOf(part['text'])],
  ['interactive', textOfInteractive],
  ['order', (part: Row) => stringOf(part['text'])],
  ['system', (part: Row) => stringOf(part['body'])],
  ['edit', textOfEdit],
  ['revoke', () => ''],
  ['unsupported', () => ''],
])

/** A person's message or tap. Unknown types are stored as `unsupported`, with their content. */
export function readInbound(message: Row, value: Row): ProviderEvent[] {
  const id = stringOf(message['id'])
  const writer = readWriter(message, value)
  if (id === undefined || !writer) return []
  const given = stringOf(message['type']) ?? ''
  const type = words.has(given) ? given : 'unsupported'
  const inReplyTo = changedBy(message, type) ?? stringOf(rowOf(message['context'])['id'])
  return [
    {
      kind: 'inbound-message',
      ...writer,
      to: (stringOf(rowOf(value['metadata'])['display_phone_number']) ?? '').replaceAll(/\D/g, ''),
      text: words.get(type)?.(rowOf(message[type]), message) ?? '',
      ...contentOf(message, { type, given }),
      ...(inReplyTo === undefined ? {} : { inReplyTo }),
      ...((type === 'edit' || type === 'revoke') && { isAction: true }),
      dedupeKey: id,
      at: instantOf(message['timestamp']),
      raw: JSON.stringify(message),
      ...lineOf(value),
    },
  ]
}

/** The message that a reaction is to, or that an edit or a revocation changes. */
function changedBy(message: Row, type: string): string | undefined {
  const part = rowOf(message[type])
  return stringOf(part['original_message_id']) ?? (type === 'reaction' ? stringOf(part['message_id']) : undefined)
}

/** By number if it is visible, else by the person's business-scoped id. */
function readWriter(message: Row, value: Row): Pick<InboundMessage, 'from' | 'identity'> | undefined {
  const from = stringOf(message['from'])
  const userId = stringOf(message['from_user_id'])
  const id = from ?? userId
  if (id === undefined) return undefined
  const contact = rowsOf(value['contacts']).find(
    (each) =>
      (from !== undefined && stringOf(each['wa_id']) === from) ||
      (userId !== undefined && stringOf(each['user_id']) === userId),
  )
  const profile = rowOf(contact?.['profile'])
  const name = stringOf(profile['name'])
  const username = stringOf(message['username']) ?? stringOf(profile['username']) ?? stringOf(contact?.['username'])
  return {
    from: from ?? '',
    identity: {
      id,
      ...(from === undefined || userId === undefined ? {} : { alias: userId }),
      ...(name === undefined ? {} : { name }),
      ...(username === undefined ? {} : { username }),
    },
  }
}

/** A plain text has no other content, unless it came from an advertisement, was forwarded or refers to a product. */
function contentOf(message: Row, { type, given }: { type: string; given: string }): Pick<InboundMessage, 'content'> {
  const { context, referral, errors, group_id: groupId } = message
  const { id: _id, from: _from, ...aboutContext } = rowOf(context)
  const more = {
    ...(Object.keys(aboutContext).length === 0 ? {} : { context: aboutContext }),
    ...(referral === undefined ? {} : { referral }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(errors === undefined ? {} : { errors }),
  }
  if (type === 'text') return Object.keys(more).length === 0 ? {} : { content: { type, ...more } }
  if (type === 'unsupported' && given !== type)
    return { content: { type, givenType: given, given: message[given], ...more } }
  return { content: { type, [type]: message[type], ...more } }
}

/** The new text of a message, or the new caption of its media. */
function textOfEdit(part: Row): string | undefined {
  const edited = rowOf(part['message'])
  const content = rowOf(edited[stringOf(edited['type']) ?? ''])
  return stringOf(content['body']) ?? stringOf(content['caption'])
}

function captionOf(part: Row): string | undefined {
  return stringOf(part['caption'])
}

function textOfInteractive(part: Row): string | undefined {
  const given = rowOf(part[stringOf(part['type']) ?? ''])
  return stringOf(given['title']) ?? stringOf(given['body'])
}

function namesOf(contacts: unknown): string {
  return rowsOf(contacts)
    .map((contact) => stringOf(rowOf(contact['name'])['formatted_name']))
    .filter(Boolean)
    .join(', ')
}
