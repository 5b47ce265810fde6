import type { StatusReport } from './results.ts'
import type { Graph } from './graph.ts'
import { titleOf } from './graph-error.ts'
import type { SentMessage } from './message-log.ts'
import type { PhoneNumber } from './objects.ts'
import { readPerson } from './people.ts'
import { newMessageId } from './message-id.ts'

const ranks = { accepted: 0, held: 0, sent: 1, failed: 2, delivered: 3, read: 4 } as const

/** Stores, counts and posts a message status. */
export function reportStatus(graph: Graph, message: SentMessage, report: StatusReport) {
  const number = graph.meta.numbers.get(message.phoneNumberId)
  if (!number) return
  if (!report.stranger && !report.forged) noteStatus(graph, message, report)
  graph.outbox.post({
    wabaId: message.wabaId,
    phoneNumberId: number.id,
    field: 'messages',
    head: headOf(number, 'statuses', contactsOf(graph, message)),
    part: JSON.stringify(statusOf(graph, message, report)),
    isForged: report.forged ?? false,
  })
  graph.simulation.counts.reportsSent += 1
}

function noteStatus(graph: Graph, message: SentMessage, { status, code }: StatusReport) {
  if (ranks[status] <= ranks[message.status]) return
  const before = message.status
  message.status = status
  message.errorCode = code
  graph.analytics.countStatus(message, { before, status })
}

/** The start of a `messages` value, up to the list. */
export function headOf(number: PhoneNumber, list: 'statuses' | 'messages', contacts?: string): string {
  return `{"messaging_product":"whatsapp","metadata":{"display_phone_number":"${number.digits}","phone_number_id":"${number.id}"},${contacts === undefined ? '' : `"contacts":${contacts},`}"${list}":`
}

function contactsOf(graph: Graph, message: SentMessage): string | undefined {
  const person = graph.meta.people.get(message.waId)
  if (person?.userId === undefined) return undefined
  return JSON.stringify([{ ...(person.hidesNumber ? {} : { wa_id: person.waId }), user_id: person.userId }])
}

function statusOf(graph: Graph, message: SentMessage, report: StatusReport) {
  const person = readPerson(graph.meta, message.waId)
  return {
    id: report.stranger ? newMessageId(message.waId) : message.id,
    status: report.status,
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...(person.hidesNumber ? {} : { recipient_id: message.waId }),
    ...(person.userId === undefined ? {} : { recipient_user_id: person.userId }),
    ...(message.reference === undefined ? {} : { biz_opaque_callback_data: message.reference }),
    ...(report.status === 'failed' ? { errors: [errorOf(report.code ?? 131000)] } : priceOf(message, report)),
  }
}

/** `pricing` is part of `sent` and of the first of `delivered` and `read`; `conversation` was removed in v24. */
function priceOf(message: SentMessage, { status, stranger, forged }: StatusReport) {
  const { billable, type, category } = message.pricing
  const isPriceReported = status !== 'sent' && message.isPriceSent
  if (status !== 'sent' && !stranger && !forged) message.isPriceSent = true
  const pricing = isPriceReported ? {} : { pricing: { billable, pricing_model: 'PMP', type, category } }
  if (message.version >= 24 && type !== 'free_entry_point') return pricing
  const expiration = String(Math.floor(message.atMs / 1000) + 24 * 3600)
  return {
    conversation: {
      id: message.conversationId,
      ...(status === 'sent' ? { expiration_timestamp: expiration } : {}),
      origin: { type: category },
    },
    ...pricing,
  }
}

export function errorOf(code: number) {
  const title = titleOf(code)
  return {
    code,
    title,
    message: title,
    error_data: { details: reasons[code] ?? title },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}

const reasons: Record<number, string> = {
  131042: 'The account has no valid means of payment.',
  131026: 'The number is not on WhatsApp, its app is too old, or its owner has not taken the new terms.',
  131047: 'More than 24 hours have passed since this person last wrote to this number.',
  131048: 'The number has reached as many people as its limit allows in 24 hours.',
  131049: 'This person gets no more marketing for now, to keep the ecosystem healthy.',
  131050: 'This person has stopped marketing messages from this business.',
  131051: 'This type of message cannot be shown here.',
  131053: 'The media is not of the kind the message says it is.',
  132015: 'The template was paused for low quality while this message was held.',
}
