import type { Graph } from './graph.ts'
import { writeToBusiness, type Written } from './inbound-message.ts'
import type { SentMessage } from './message-log.ts'
import type { Person, Row } from './objects.ts'
import { savePerson, readPerson } from './people.ts'
import type { PhoneButton, PhoneRow } from './phone-content.ts'
import { sendMarketingPreference } from './preferences.ts'
import { reportStatus } from './statuses.ts'

export type Tap = {
  from: string
  messageId: string
  /** Button index from 0; in a carousel also the card. */
  button?: number
  card?: number
  /** List row by id. */
  row?: string
}

/** Actions of a person on the phone other than writing. Each throws if it is not possible. */
export type PersonActions = {
  write: (writing: { from: string; phoneNumberId: string; message: Row }) => Written
  /** Quick replies and list rows send a message; links, calls and codes are only counted. */
  tap: (tap: Tap) => { answer: Written | undefined; button: PhoneButton | PhoneRow }
  /** All messages received from one number, or from all. */
  read: (reading: { from: string; phoneNumberId?: string | undefined }) => number
  react: (reaction: { from: string; messageId: string; emoji?: string | undefined }) => Written
  describe: (from: string, changes?: PersonChanges) => Person
  block: (from: string, phoneNumberId: string, isBlocked: boolean) => void
  /** Stops or resumes marketing messages in the WhatsApp menu. */
  prefer: (preference: { from: string; phoneNumberId: string; value: 'stop' | 'resume' }) => void
}

export type PersonChanges = Partial<
  Pick<Person, 'name' | 'userId' | 'username' | 'hidesNumber' | 'isOnWhatsApp' | 'readReceipts'>
>

export function createPersonActions(graph: Graph): PersonActions {
  const write = (writing: Parameters<PersonActions['write']>[0]) => writeToBusiness(graph, writing)
  return {
    write,
    tap: (tap) => tapOn(graph, tap),
    read: ({ from, phoneNumberId }) => readAll(graph, digitsOf(from), phoneNumberId),
    react({ from, messageId, emoji }) {
      const message = needMessage(graph, from, messageId)
      const reaction = { message_id: messageId, ...(emoji ? { emoji } : {}) }
      return write({ from, phoneNumberId: message.phoneNumberId, message: { type: 'reaction', reaction } })
    },
    describe(from, changes) {
      if (!changes) return readPerson(graph.meta, digitsOf(from))
      return Object.assign(savePerson(graph.meta, digitsOf(from)), changes)
    },
    block(from, phoneNumberId, isBlocked) {
      const person = savePerson(graph.meta, digitsOf(from))
      if (isBlocked) person.blocked.add(phoneNumberId)
      else person.blocked.delete(phoneNumberId)
    },
    prefer({ from, phoneNumberId, value }) {
      const number = graph.meta.numbers.get(phoneNumberId)
      if (!number) throw new RangeError(`There is no phone number ${phoneNumberId}`)
      sendMarketingPreference(graph, { wabaId: number.wabaId, phoneNumberId, waId: digitsOf(from), value })
    },
  }
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}

function needMessage(graph: Graph, from: string, messageId: string): SentMessage {
  const message = graph.messages.find(messageId)
  if (message?.waId !== digitsOf(from) || !message.isReceived)
    throw new RangeError(`${from} has not received the message ${messageId}`)
  return message
}

function tapOn(graph: Graph, tap: Tap) {
  const message = needMessage(graph, tap.from, tap.messageId)
  if (tap.row !== undefined) return tapRow(graph, message, tap.row)
  const buttons = tap.card === undefined ? message.content.buttons : message.content.cards?.[tap.card]?.buttons
  const button = buttons?.[tap.button ?? 0]
  if (!button) throw new RangeError('The message has no such button')
  countTap(graph, message, button)
  const answer = answerOf(button)
  return {
    button,
    answer: answer && answerWith(graph, message, answer),
  }
}

function tapRow(graph: Graph, message: SentMessage, rowId: string) {
  const row = message.content.list?.sections.flatMap(({ rows }) => rows).find(({ id }) => id === rowId)
  if (!row) throw new RangeError('The list has no such row')
  return {
    button: row,
    answer: answerWith(graph, message, {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { ...row } },
    }),
  }
}

function answerWith(graph: Graph, message: SentMessage, answer: Row): Written {
  return writeToBusiness(graph, {
    from: message.waId,
    phoneNumberId: message.phoneNumberId,
    message: { ...answer, context: { id: message.id } },
  })
}

/** Only some buttons send a message to the business; the others open something on the phone. */
function answerOf({ kind, text, payload = text }: PhoneButton): Row | undefined {
  if (kind === 'quick_reply') return { type: 'button', button: { payload, text } }
  if (kind === 'reply')
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: payload, title: text } } }
  if (kind === 'flow') {
    const response = JSON.stringify({ flow_token: payload })
    return {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: response } },
    }
  }
  if (kind === 'location')
    return { type: 'location', location: { latitude: 12.9716, longitude: 77.5946, name: 'Here' } }
  return undefined
}

function countTap(graph: Graph, message: SentMessage, { kind, text }: PhoneButton) {
  const type = kind === 'quick_reply' ? 'quick_reply_button' : kind === 'url' ? 'url_button' : undefined
  if (type) graph.analytics.countClick(message, { type, button: text })
}

function readAll(graph: Graph, number: string, phoneNumberId: string | undefined): number {
  const phone = graph.simulation.handset.find(number)
  if (!readPerson(graph.meta, number).readReceipts) return 0
  let count = 0
  for (const { id, peer, direction } of phone?.messages.slice(-500) ?? []) {
    if (id === undefined || direction !== 'received' || (phoneNumberId !== undefined && peer !== phoneNumberId))
      continue
    const message = graph.messages.find(id)
    // Messages not yet reported as delivered are read the next time.
    if (message?.status !== 'delivered') continue
    message.isOpened = true
    reportStatus(graph, message, { status: 'read', afterMs: 0 })
    count += 1
  }
  return count
}
