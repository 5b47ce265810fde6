import { respondOrClose, type Refusal } from '../http-gateway/counter.ts'
import { answered, type Call, type Graph } from './graph.ts'
import { decideGraphResult, type GraphResult } from './results.ts'
import { GraphError, invalid, missing, presentError } from './graph-error.ts'
import { freeTypes, readFreeMessage } from './message-content.ts'
import { type Read } from './read-media.ts'
import { newMessageId } from './message-id.ts'
import type { Pricing, SentMessage } from './message-log.ts'
import { portfolioOf } from './meta.ts'
import type { Person, PhoneNumber, Row, Template } from './objects.ts'
import { dialledDigits, findByUserId, readPerson, waIdOf } from './people.ts'
import { type PhoneContent, textOf } from './phone-content.ts'
import { needText, readText } from './reading.ts'
import { reportStatus } from './statuses.ts'
import { sendMarketingPreference } from './preferences.ts'
import { markRead } from './mark-read.ts'
import { areLinksReachable, requireActiveAccount } from './account-status.ts'
import { readTemplateMessage } from './sendable-template.ts'

/** `POST /{phone_number_id}/messages`: the hot path of this API. */
export async function sendMessage(call: Call, number: PhoneNumber) {
  const { graph, body } = call
  if (body.messaging_product !== 'whatsapp')
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' })
  if (body.status !== undefined) return markRead(graph, number, body)
  requireActiveAccount(number, graph.meta.wabas.get(number.wabaId))

  const order = readOrder(call, number)
  const attempt = graph.simulation.begin(order.person.waId)
  const limit = graph.limits.take(number, order.person.waId)
  if (limit !== undefined) throw refuse(graph, limit)
  const result = decideGraphResult(graph.simulation.plan(), graph.settings, {
    to: order.person.waId,
    attempt,
    failure: failureOf(graph, number, order),
    isBlocked: order.person.blocked.has(number.id),
    readReceipts: order.person.readReceipts,
  })
  if (result.refusal !== undefined) throw refuse(graph, result.refusal)
  graph.simulation.counts[result.isAccepted ? 'accepted' : 'refused'] += 1

  const message = result.isAccepted ? accept(call, number, order) : undefined
  if (message) await carry(graph, { message, result, template: order.template })
  return answer(call, { result, body: JSON.stringify(presentAnswer(order, message)) })
}

function refuse(graph: Graph, code: number): GraphError {
  graph.simulation.counts.refused += 1
  return new GraphError(code)
}

type Order = {
  input: string
  person: Person
  type: string
  content: PhoneContent
  failure: number | undefined
  template: Template | undefined
  reference: string | undefined
}

function readOrder({ graph, body }: Call, number: PhoneNumber): Order {
  const type = body.type ?? 'text'
  const { input, person } = readRecipient(graph, number, body)
  const reading = { meta: graph.meta, number }
  const free = freeTypes.find((each) => each === type)
  if (!free && type !== 'template')
    throw new GraphError(100, {
      message: `(#100) Param type must be one of {${[...freeTypes, 'template'].join(', ').toUpperCase()}} - got "${typeof type === 'string' ? type : typeof type}".`,
    })
  const read: Read & { template?: Template } = free
    ? readFreeMessage(reading, body, free)
    : readTemplateMessage(reading, body)
  const { template } = read
  if (template?.category === 'AUTHENTICATION' && body.to === undefined) throw new GraphError(131062)
  const quotes = readContext(body)
  return {
    input,
    person,
    type: free ?? 'template',
    content: quotes === undefined ? read.content : { ...read.content, quotes },
    failure: read.failure,
    template,
    reference: readText(body, 'biz_opaque_callback_data', { most: 512 }),
  }
}

function readRecipient(graph: Graph, number: PhoneNumber, body: Row): { input: string; person: Person } {
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual')
    throw invalid('recipient_type must be individual: this number is in no group')
  if (body.to === undefined || body.to === '') {
    const userId = readText(body, 'recipient')
    if (userId === undefined) throw new GraphError(100, { message: '(#100) The parameter to is required.' })
    const person = findByUserId(graph.meta, userId)
    if (!person) throw invalid('recipient is not the business-scoped id of anybody')
    return { input: userId, person }
  }
  const input = needText(body, 'to')
  const digits = dialledDigits(input, number.countryCode)
  if (digits === undefined) throw invalid('to is not a phone number')
  if (digits === number.digits) throw new GraphError(131021)
  return { input, person: readPerson(graph.meta, waIdOf(digits)) }
}

function readContext(body: Row): string | undefined {
  const { context } = body
  if (context === undefined || context === null) return undefined
  if (typeof context !== 'object' || !('message_id' in context) || typeof context.message_id !== 'string')
    throw missing("context['message_id']")
  return context.message_id
}

/** Reasons against delivery that Meta reports only after the response. */
function failureOf(graph: Graph, number: PhoneNumber, order: Order): number | undefined {
  const { person, template, type } = order
  if (!person.isOnWhatsApp) return 131026
  if (type === 'template') {
    if (template?.category === 'MARKETING' && person.stopped.has(number.wabaId)) return 131050
    if (graph.meta.wabas.get(number.wabaId)?.hasPaymentProblem) return 131042
  } else if (!graph.windows.isOpen(number.id, person.waId)) return 131047
  if (order.failure !== undefined) return order.failure
  return graph.windows.isOpen(number.id, person.waId) || reaches(graph, number, person.waId) ? undefined : 131048
}

function reaches(graph: Graph, number: PhoneNumber, waId: string): boolean {
  return graph.limits.reserveNewPerson(portfolioOf(graph.meta, number.wabaId), waId)
}

function accept({ graph, version }: Call, number: PhoneNumber, order: Order): SentMessage {
  const { person, template } = order
  graph.windows.answered(number.id, person.waId)
  graph.typing.hide(number.id, person.waId)
  return graph.messages.add({
    id: newMessageId(person.waId),
    wabaId: number.wabaId,
    phoneNumberId: number.id,
    waId: person.waId,
    version,
    type: order.type,
    content: order.content,
    text: textOf(order.content),
    reference: order.reference,
    pricing: priceOf(graph, number, order),
    conversationId: graph.meta.nextId('conversation'),
    isReceived: false,
    status: template && template.pacing !== 'none' ? 'held' : 'accepted',
    errorCode: undefined,
    isPriceSent: false,
    isOpened: false,
    atMs: Date.now(),
  })
}

function priceOf(graph: Graph, number: PhoneNumber, { person, template }: Order): Pricing {
  if (graph.windows.isFreeEntry(number.id, person.waId))
    return { billable: false, type: 'free_entry_point', category: 'referral_conversion' }
  if (!template) return { billable: false, type: 'free_customer_service', category: 'service' }
  const category = template.category.toLowerCase()
  const isFree = template.category === 'UTILITY' && graph.windows.isOpen(number.id, person.waId)
  return { billable: !isFree, type: isFree ? 'free_customer_service' : 'regular', category }
}

type Carried = { message: SentMessage; result: GraphResult; template: Template | undefined }

async function carry(graph: Graph, { message, result, template }: Carried) {
  graph.analytics.countSent(message)
  if (graph.settings.fetchLinks && !(await areLinksReachable(graph, message.content))) {
    setImmediate(() => reportStatus(graph, message, { status: 'failed', code: 131053, afterMs: 0 }))
    return
  }
  if (template && message.status === 'held') {
    const isDropped = template.pacing === 'drop'
    graph.simulation.scheduler.after(graph.settings.holdMs, () =>
      isDropped
        ? reportStatus(graph, message, { status: 'failed', code: 132015, afterMs: 0 })
        : deliver(graph, message, result),
    )
    return
  }
  if (!result.reportsFirst) return deliver(graph, message, result)
  deliver(graph, message, result)
  const longest = result.reports.reduce((most, { afterMs }) => Math.max(most, afterMs), 0)
  await new Promise((resolve) => setTimeout(resolve, longest + overtakeMs))
}

const overtakeMs = 100

function deliver(graph: Graph, message: SentMessage, result: GraphResult) {
  if (result.isReceived) {
    message.isReceived = true
    graph.simulation.handset.receive({
      channel: 'whatsapp',
      number: message.waId,
      peer: message.phoneNumberId,
      text: message.text,
      parts: 1,
      encoding: 'utf8',
      account: message.wabaId,
      via: 'graph',
      entityId: undefined,
      templateId: message.content.template?.id,
      reference: message.reference,
      id: message.id,
      content: message.content,
    })
  }
  for (const report of result.reports) {
    const post = () => {
      if (report.status !== 'read' || !message.isOpened) reportStatus(graph, message, report)
    }
    if (report.afterMs > 0) graph.simulation.scheduler.after(report.afterMs, post)
    else if (result.reportsFirst) post()
    // Usually after the response, so that the caller knows the id before the first report.
    else setImmediate(post)
  }
  if (result.stopsMarketing)
    graph.simulation.scheduler.after(graph.settings.gapMs[1], () =>
      sendMarketingPreference(graph, {
        wabaId: message.wabaId,
        phoneNumberId: message.phoneNumberId,
        waId: message.waId,
        value: 'stop',
      }),
    )
}

function presentAnswer({ input, person, template }: Order, message: SentMessage | undefined) {
  const status = message?.status === 'held' ? 'held_for_quality_assessment' : 'accepted'
  return {
    messaging_product: 'whatsapp',
    contacts: [
      {
        input,
        ...(person.hidesNumber ? {} : { wa_id: person.waId }),
        ...(person.userId === undefined ? {} : { user_id: person.userId }),
      },
    ],
    messages: [{ id: message?.id ?? '', ...(template ? { message_status: status } : {}) }],
  }
}

const refusals: Record<Refusal, number> = {
  throttled: 130429,
  'queue-full': 131016,
  'system-error': 131000,
  'invalid-number': 131009,
  unauthorized: 190,
  'missing-ids': 100,
}

async function answer({ graph, reply }: Call, { result, body }: { result: GraphResult; body: string }) {
  const [least, most] = graph.simulation.plan().answerDelayMs
  if (most > 0) await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)))
  respondOrClose(graph.simulation, reply, {
    answer: result.answer,
    formats: {
      taken: { status: 200, body },
      refused: (refusal) => presentError(new GraphError(refusals[refusal]), graph.settings.throttleStatus),
    },
  })
  return answered
}
