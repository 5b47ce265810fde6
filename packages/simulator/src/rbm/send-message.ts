import { respondOrClose, type Refusal } from '../http-gateway/counter.ts'
import { type AgentMessage, readAgentMessage } from './agent-message.ts'
import { carrierOf } from './carriers.ts'
import { carry } from './delivery.ts'
import { type Device } from './devices.ts'
import type { GoogleCall } from './google-call.ts'
import type { RbmMessage } from './message-log.ts'
import type { Agent, Row, TrafficType } from './objects.ts'
import { timestamp } from './outbox.ts'
import type { Rbm } from './rbm.ts'
import { presentError, RbmError, type RbmStatus } from './rbm-error.ts'
import { type RcsContent, textOf } from './rcs-content.ts'
import { isUuid } from './reading.ts'
import { decideRbmResult, type RbmResult } from './results.ts'
import { testerKey } from './directory.ts'
import type { FastifyReply } from 'fastify'

/** `POST /v1/phones/{number}/agentMessages`: the hot path of this API. */
export async function sendMessage({ rbm, agent, number, query, body, size, reply }: GoogleCall) {
  const id = query.messageId ?? ''
  if (!isUuid(id))
    throw new RbmError('INVALID_ARGUMENT', 'messageId must be a UUID as defined in RFC 4122', 'messageId')
  const known = rbm.messages.find({ agent, number, id })
  if (known) return reply.type('application/json').send(known.answer)

  const read = readAgentMessage(readingOf(rbm), { body, size, agent })
  return accept(rbm, {
    agent,
    number,
    id,
    ...read,
    templateCode: undefined,
    reply,
    answer: presentAnswer({ number, id, body, read }),
  })
}

export function readingOf({ settings, directory }: Rbm) {
  return { httpsOnly: settings.httpsOnly, findFile: directory.findFile }
}

function presentAnswer({ number, id, body, read }: { number: string; id: string; body: Row; read: AgentMessage }) {
  const { ttl: _ttl, ...given } = body
  const expiry = read.expiresAtMs === undefined ? {} : { expireTime: timestamp(read.expiresAtMs) }
  return JSON.stringify({
    ...given,
    messageTrafficType: read.trafficType,
    ...expiry,
    name: `phones/+${number}/agentMessages/${id}`,
    sendTime: timestamp(),
  })
}

export type Order = {
  agent: Agent
  number: string
  id: string
  content: RcsContent
  expiresAtMs: number | undefined
  trafficType: TrafficType | undefined
  templateCode: string | undefined
  reply: FastifyReply
  answer: string
}

/** Checks limits and the phone, decides the outcome and responds; used by both platforms. */
export async function accept(rbm: Rbm, order: Order) {
  const { simulation } = rbm
  const { agent, number, reply, answer } = order
  const attempt = simulation.begin(`rcs ${number}`)
  const device = rbm.devices.find(number)
  const refusal = limitProblem(rbm, order) ?? reachProblem(rbm, agent, number) ?? featureProblem(order.content, device)
  if (refusal) throw refuse(rbm, refusal)
  const result = decideRbmResult(simulation.plan(), rbm.settings, {
    to: number,
    attempt,
    readReceipts: device.readReceipts,
    platform: agent.platform,
  })
  if (result.refusal !== undefined) throw refuse(rbm, new RbmError(result.refusal, refusalTexts[result.refusal] ?? ''))
  simulation.counts[result.isAccepted ? 'accepted' : 'refused'] += 1
  if (result.isAccepted) await start(rbm, order, result)
  await pause(rbm)
  return respondOrClose(simulation, reply, {
    answer: result.answer,
    formats: {
      taken: { status: 200, body: answer },
      refused: (fault) => presentError(new RbmError(refusals[fault], refusalTexts[refusals[fault]] ?? '')),
    },
  })
}

function refuse(rbm: Rbm, error: RbmError): RbmError {
  rbm.simulation.counts.refused += 1
  return error
}

/** A repeat that the Dotgo platform delivers again belongs to the same entry of the log. */
function record(rbm: Rbm, { reply: _reply, ...order }: Order, result: RbmResult): RbmMessage {
  const known = rbm.messages.find(order)
  if (known) return Object.assign(known, { result, content: order.content, text: textOf(order.content) })
  return rbm.messages.add({
    ...order,
    text: textOf(order.content),
    acceptedAtMs: Date.now(),
    status: 'accepted',
    shownAtMs: [],
    isUnwanted: false,
    isRead: false,
    result,
  })
}

const overtakeMs = 100

async function start(rbm: Rbm, order: Order, result: RbmResult) {
  carry(rbm, record(rbm, order, result))
  if (!result.eventsFirst) return
  const longest = result.events.reduce((most, { afterMs }) => Math.max(most, afterMs), 0)
  await new Promise((resolve) => setTimeout(resolve, longest + overtakeMs))
}

async function pause(rbm: Rbm) {
  const [least, most] = rbm.simulation.plan().answerDelayMs
  if (most > 0) await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)))
}

const refusalTexts: Partial<Record<RbmStatus, string>> = {
  RESOURCE_EXHAUSTED: 'Quota exceeded for messages per second of the agent.',
  UNAVAILABLE: 'The service is currently unavailable.',
  INTERNAL: 'Internal error encountered.',
  NOT_FOUND: 'Requested entity was not found.',
  UNAUTHENTICATED: 'Request had invalid authentication credentials.',
}

const refusals: Record<Refusal, RbmStatus> = {
  throttled: 'RESOURCE_EXHAUSTED',
  'queue-full': 'UNAVAILABLE',
  'system-error': 'INTERNAL',
  'invalid-number': 'NOT_FOUND',
  unauthorized: 'UNAUTHENTICATED',
  'missing-ids': 'INVALID_ARGUMENT',
}

function limitProblem(rbm: Rbm, { agent, number, trafficType }: Order): RbmError | undefined {
  if (!rbm.limits.takeMessage(agent.id))
    return new RbmError('RESOURCE_EXHAUSTED', refusalTexts.RESOURCE_EXHAUSTED ?? '')
  if (trafficType !== 'PROMOTION') return undefined
  const [from, to] = rbm.settings.promotionHours
  const hour = indianHour()
  if (hour < from || hour >= to)
    return new RbmError('PERMISSION_DENIED', `Promotional messages are allowed from ${from}:00 to ${to}:00 IST only`)
  const most = rbm.settings.promotionsPerUser
  if (most === 0 || rbm.subscribers.countPromotion({ agentId: agent.id, number }, most)) return undefined
  return new RbmError('PERMISSION_DENIED', 'The limit of promotional messages to this user in 28 days is reached')
}

function indianHour(): number {
  return new Date(Date.now() + 5.5 * 3_600_000).getUTCHours()
}

/** Why the agent cannot reach the number; undefined if it can. */
export function reachProblem(rbm: Rbm, agent: Agent, number: string): RbmError | undefined {
  if (!rbm.devices.find(number).isRcs) return new RbmError('NOT_FOUND', 'The phone number cannot be reached by RCS')
  if (rbm.directory.testers.get(testerKey({ agentId: agent.id, number }))?.status === 'ACCEPTED') return undefined
  if (agent.launches.get(carrierOf(number).id)?.state === 'LAUNCHED') return undefined
  const isLaunched = [...agent.launches.values()].some(({ state }) => state === 'LAUNCHED')
  return isLaunched
    ? new RbmError('NOT_FOUND', 'The agent is not launched on the network of this phone number')
    : new RbmError('PERMISSION_DENIED', 'The agent is not launched, and the phone number belongs to no tester')
}

function featureProblem({ card, carousel }: RcsContent, { hasRichCards }: Device): RbmError | undefined {
  if (hasRichCards || !(card || carousel)) return undefined
  const feature = card ? 'RICHCARD_STANDALONE' : 'RICHCARD_CAROUSEL'
  return new RbmError('INVALID_ARGUMENT', `The device does not support ${feature}`)
}
