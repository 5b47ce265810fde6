import { postServerEvent, postUserEvent } from './events.ts'
import type { RbmMessage } from './message-log.ts'
import { tapFirst, unsubscribe } from './inbound.ts'
import type { Rbm } from './rbm.ts'
import { randomUUID } from 'node:crypto'
import type { PlannedEvent } from './results.ts'

const keptForOfflineMs = 30 * 24 * 3_600_000
/** Longer delays do not fit into a timer. */
const mostTimerMs = 2 ** 31 - 1

/** Shows an accepted message, or keeps it for a phone that is offline. */
export function carry(rbm: Rbm, message: RbmMessage) {
  const { outcome } = message.result
  if (outcome === 'failed') return fail(rbm, message)
  if (outcome === 'delivered' && rbm.devices.find(message.number).isOnline) return show(rbm, message)
  message.status = 'held'
  rbm.messages.hold(message)
  const left = (message.expiresAtMs ?? Infinity) - Date.now()
  if (left <= mostTimerMs) rbm.simulation.scheduler.after(Math.max(0, left), () => expire(rbm, message))
}

/** Google says nothing; the Dotgo platform reports a failure. */
function fail(rbm: Rbm, { agent, number, id, result, ...message }: RbmMessage) {
  message.status = 'failed'
  if (agent.platform === 'google') return
  const reason = 'Message rejected: API calls per second exceeded for this user'
  rbm.simulation.scheduler.after(result.events[0]?.afterMs ?? 0, () =>
    postUserEvent(rbm, { agent, number, eventType: 'FAILED', messageId: id, reason }),
  )
}

function show(rbm: Rbm, message: RbmMessage) {
  const { agent, number, result } = message
  message.status = 'shown'
  message.shownAtMs.push(Date.now())
  message.isUnwanted = message.trafficType === 'PROMOTION' && rbm.subscribers.isUnsubscribed(agent.id, number)
  rbm.messages.release(message)
  rbm.subscribers.hideTyping(agent.id, number)
  rbm.simulation.handset.receive({
    channel: 'rcs',
    number,
    peer: agent.id,
    text: message.text,
    parts: 1,
    encoding: 'utf8',
    account: agent.id,
    via: agent.platform === 'google' ? 'rbm' : 'dotgo',
    entityId: undefined,
    templateId: message.templateCode,
    reference: message.id,
    id: message.id,
    rcs: message.content,
  })
  for (const event of result.events) schedule(rbm, message, event)
  if (result.reaction) react(rbm, message)
}

function schedule(rbm: Rbm, message: RbmMessage, event: PlannedEvent) {
  const post = () => report(rbm, message, event)
  if (event.afterMs > 0) rbm.simulation.scheduler.after(event.afterMs, post)
  else if (message.result.eventsFirst) post()
  // Usually after the response, so that the caller has it before the first event.
  else setImmediate(post)
}

function report(rbm: Rbm, message: RbmMessage, { kind, isStranger, isForged }: PlannedEvent) {
  const { agent, number } = message
  const messageId = isStranger ? randomUUID() : message.id
  if (kind === 'TTL_EXPIRATION_REVOKED')
    return postServerEvent(rbm, { agent, number, eventType: kind, messageId, isForged })
  if (kind === 'READ') {
    // The person has opened it meanwhile.
    if (message.isRead) return
    message.isRead = true
  }
  postUserEvent(rbm, { agent, number, eventType: kind, messageId, isForged })
}

/** What the person does by itself with a message. */
function react(rbm: Rbm, message: RbmMessage) {
  const last = message.result.events.reduce((most, { afterMs }) => Math.max(most, afterMs), 0)
  rbm.simulation.scheduler.after(last + rbm.settings.gapMs[1], () => {
    if (message.result.reaction === 'tap') tapFirst(rbm, message)
    else unsubscribe(rbm, { agent: message.agent, number: message.number })
  })
}

function expire(rbm: Rbm, message: RbmMessage) {
  if (message.status !== 'held') return
  const { agent, number, id, result } = message
  const isKept = result.outcome === 'revoke-fails'
  const eventType = isKept ? 'TTL_EXPIRATION_REVOKE_FAILED' : 'TTL_EXPIRATION_REVOKED'
  postServerEvent(rbm, { agent, number, eventType, messageId: id })
  if (isKept || result.outcome === 'revoke-ignored') return show(rbm, message)
  message.status = 'expired'
  rbm.messages.release(message)
}

/** The response to a revocation; undefined is 200. Some messages are delivered although they were revoked. */
export function revoke(rbm: Rbm, message: RbmMessage | undefined): 'not-found' | undefined {
  if (message?.status === 'revoked') return undefined
  if (message?.status !== 'held') return rbm.settings.revokeAnswer === 'ok' ? undefined : 'not-found'
  const { outcome } = message.result
  if (outcome !== 'revoke-fails' && outcome !== 'revoke-ignored') {
    message.status = 'revoked'
    rbm.messages.release(message)
    return undefined
  }
  setImmediate(() => {
    if (message.status === 'held') show(rbm, message)
  })
  return outcome === 'revoke-fails' ? 'not-found' : undefined
}

/** The phone is online: messages that wait for it arrive in their order. */
export function deliverHeld(rbm: Rbm, number: string) {
  for (const message of rbm.messages.listHeld(number)) {
    if (message.acceptedAtMs > Date.now() - keptForOfflineMs) show(rbm, message)
    else rbm.messages.release(message)
  }
}
