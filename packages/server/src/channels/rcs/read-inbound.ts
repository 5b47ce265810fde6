import { createHash } from 'node:crypto'
import type { InboundMessage, ProviderEvent } from '../provider.ts'
import { isRow, rowOf, stringOf, type Row } from '../read-json.ts'
import { instantOf } from './json.ts'

type Content = Pick<InboundMessage, 'text' | 'content' | 'isAction'>

/** A person's message: a text, a tapped suggestion, a location or a file. Other content is stored as it is. */
export function readInbound(event: Row): ProviderEvent[] {
  const from = stringOf(event['senderPhoneNumber'])
  if (from === undefined) return [{ kind: 'notice', at: instantOf(event['sendTime']), raw: JSON.stringify(event) }]
  const raw = JSON.stringify(event)
  return [
    {
      kind: 'inbound-message',
      from,
      to: stringOf(event['agentId']) ?? stringOf(event['botId']) ?? '',
      ...readContent(event),
      dedupeKey: stringOf(event['messageId']) ?? createHash('sha256').update(raw).digest('hex'),
      at: instantOf(event['sendTime']),
      raw,
    },
  ]
}

function readContent(event: Row): Content {
  const { text, suggestionResponse, location, userFile } = event
  if (typeof text === 'string') return { text }
  if (isRow(suggestionResponse)) return readTap(suggestionResponse)
  if (isRow(location)) return { text: '', content: { type: 'location', location } }
  if (isRow(userFile)) return readFile(userFile)
  return { text: '', content: { type: 'unsupported', given: event } }
}

/** The label is stored as the text, so that a suggestion "Stop" is an opt-out like the written word. */
function readTap(response: Row): Content {
  const { postbackData: payload, text, type } = response
  const content = { type: 'button', button: { payload, text, type } }
  return { text: stringOf(text) ?? '', content, ...(type === 'ACTION' && { isAction: true }) }
}

const kinds: readonly string[] = ['image', 'video', 'audio']

function readFile(userFile: Row): Content {
  const { mimeType, fileName: filename, fileUri: link, fileSizeBytes: size } = rowOf(userFile['payload'])
  const [kind = ''] = (stringOf(mimeType) ?? '').split('/')
  const type = kinds.includes(kind) ? kind : 'document'
  const thumbnail = stringOf(rowOf(userFile['thumbnail'])['fileUri'])
  return { text: '', content: { type, [type]: { link, mime_type: mimeType, filename, size, thumbnail } } }
}
