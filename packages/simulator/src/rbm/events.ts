import { randomUUID } from 'node:crypto'
import type { Agent, Row } from './objects.ts'
import { timestamp } from './outbox.ts'
import type { Rbm } from './rbm.ts'

export type UserEvent = {
  agent: Agent
  number: string
  eventType: 'DELIVERED' | 'READ' | 'IS_TYPING' | 'SUBSCRIBE' | 'UNSUBSCRIBE' | 'FAILED'
  /** The message that the event is about. */
  messageId?: string
  reason?: string
  isForged?: boolean | undefined
}

/** Reports what happened on a phone. */
export function postUserEvent(rbm: Rbm, event: UserEvent) {
  const { agent, number, eventType, messageId, reason, isForged } = event
  const data: Row = { senderPhoneNumber: `+${number}`, eventType, eventId: randomUUID(), messageId, agentId: agent.id }
  if (reason !== undefined) data.reason = reason
  post(rbm, agent, { data, eventType, isForged })
}

export type ServerEvent = {
  agent: Agent
  number: string
  eventType: 'TTL_EXPIRATION_REVOKED' | 'TTL_EXPIRATION_REVOKE_FAILED'
  messageId: string
  isForged?: boolean | undefined
}

/** Reports what the platform did; these events name the number differently. */
export function postServerEvent(rbm: Rbm, { agent, number, eventType, messageId, isForged }: ServerEvent) {
  const data = { phoneNumber: `+${number}`, messageId, agentId: agent.id, eventType, eventId: randomUUID() }
  post(rbm, agent, { data, eventType, isForged })
}

type Event = { data: Row; eventType: string; isForged: boolean | undefined }

function post(rbm: Rbm, agent: Agent, { data, eventType, isForged }: Event) {
  rbm.outbox.post({
    agent,
    type: 'event',
    attributes: { event_type: eventType },
    data: { ...data, sendTime: timestamp() },
    isForged,
  })
}
