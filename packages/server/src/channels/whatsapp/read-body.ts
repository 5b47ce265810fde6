import type { MessageBody } from '@carillon/contract/conversation-records'
import { buttonsIn, contentParts, isMediaType, lineIn, locationIn, mediaBody, textIn } from '../body-parts.ts'
import type { StoredMessage } from '../channel.ts'
import { isRow, rowOf, rowsOf, stringOf, type Row } from '../read-json.ts'
import { legBody } from './leg-body.ts'
import { TemplateLeg } from './template-leg.ts'

type Part = { part: Row; content: Row; text: string }

/** Types whose content is more than a text. Others show their text. */
const bodies: Record<string, (given: Part) => MessageBody> = {
  location: ({ part, text }) => {
    const location = locationIn(part)
    return { type: 'location', text, ...(location && { location }) }
  },
  contacts: ({ content, text }) => {
    const contacts = contactsIn(content['contacts'])
    return { type: 'contact', text: text || contacts.map(({ name }) => name).join(', '), contacts }
  },
  reaction: ({ part }) => ({ type: 'reaction', text: '', reaction: lineIn(part['emoji']) ?? '' }),
  template: readTemplate,
  interactive: readInteractive,
  button: ({ text }) => ({ type: 'button_reply', text }),
  order: ({ part, text }) => ({ type: 'order', text: [text, ...productsIn(part)].filter(Boolean).join('\n') }),
  system: ({ text }) => ({ type: 'system', text }),
  edit: ({ part, text }) => readEdit(part, text),
  revoke: () => ({ type: 'unsupported', text: '' }),
  unsupported: ({ text }) => ({ type: 'unsupported', text }),
}

/** What a message shows, from content in the format of the Cloud API. */
export function readWhatsappBody({ text: stored, content: given }: StoredMessage): MessageBody {
  const text = textIn(stored)
  const parts = contentParts(given)
  if (!parts) return { type: 'text', text }
  const { type, part, content } = parts
  const { forwarded, frequently_forwarded: isWidespread } = rowOf(content['context'])
  const isForwarded = forwarded === true || isWidespread === true ? { isForwarded: true } : {}
  if (isMediaType(type)) return { ...mediaBody(type, part, content), ...isForwarded }
  const read = Object.hasOwn(bodies, type) ? bodies[type] : undefined
  return { ...(read?.({ part, content, text }) ?? { type: 'text', text }), ...isForwarded }
}

/** A template as it was sent: with its frozen leg all of it is shown, else its text. */
function readTemplate({ content, text }: Part): MessageBody {
  const { data: leg } = TemplateLeg.safeParse(content['leg'])
  return leg ? legBody(leg, []) : { type: 'template', text }
}

function readInteractive({ part, text }: Part): MessageBody {
  const type = stringOf(part['type']) ?? ''
  if (type === 'nfm_reply') return { type: 'form_reply', text: readForm(rowOf(part[type]), text) }
  if (type.endsWith('_reply')) return { type: 'button_reply', text }
  const { header, body, footer, action } = part
  return {
    type: 'interactive',
    text: textIn(rowOf(body)['text']) || text,
    header: lineIn(rowOf(header)['text']),
    footer: lineIn(rowOf(footer)['text']),
    ...buttonsIn(actionButtons(rowOf(action))),
  }
}

/** Reply buttons, the button of a link, or the one that opens a list. */
function actionButtons(action: Row): Parameters<typeof buttonsIn>[0] {
  const { buttons, parameters, button } = action
  if (Array.isArray(buttons))
    return rowsOf(buttons).map((each) => ({ kind: 'reply' as const, text: rowOf(each['reply'])['title'] }))
  if (isRow(parameters)) return [{ kind: 'url', text: parameters['display_text'] ?? parameters['flow_cta'] }]
  return [{ kind: 'reply', text: button }]
}

const mostFields = 30

/** The answers of a form, one a line. */
function readForm({ body, response_json: json }: Row, text: string): string {
  const answers = Object.entries(rowOf(parse(json))).flatMap(([name, value]) => {
    const isShown = name !== 'flow_token' && ['string', 'number', 'boolean'].includes(typeof value)
    return isShown ? [`${name.replaceAll('_', ' ')}: ${String(value)}`] : []
  })
  return textIn(answers.slice(0, mostFields).join('\n')) || textIn(body) || text
}

function parse(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : undefined
  } catch {
    return undefined
  }
}

const mostContacts = 20

function contactsIn(value: unknown): NonNullable<MessageBody['contacts']> {
  return rowsOf(value)
    .slice(0, mostContacts)
    .map(({ name, phones }) => ({
      name: lineIn(rowOf(name)['formatted_name']) ?? '',
      phoneNumbers: rowsOf(phones)
        .slice(0, mostContacts)
        .flatMap(({ phone }) => lineIn(phone) ?? []),
    }))
}

function productsIn(order: Row): string[] {
  return rowsOf(order['product_items'])
    .slice(0, mostFields)
    .map(({ product_retailer_id: product, quantity }) => `${lineIn(quantity) ?? '1'} × ${lineIn(product) ?? 'product'}`)
}

/** An edited message as it is now. */
function readEdit(edit: Row, text: string): MessageBody {
  const parts = contentParts(edit['message'])
  return parts && isMediaType(parts.type) ? mediaBody(parts.type, parts.part) : { type: 'text', text }
}
