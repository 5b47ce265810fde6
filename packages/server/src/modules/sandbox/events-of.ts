import type { Channel } from '@carillon/contract/channels'
import { newId } from '../../lib/ids.ts'
import type { TestEvent } from '../webhooks/index.ts'
import { fateOf, type Step } from './fates.ts'

/** A message of a test key, as it is stored. */
export type TestMessage = {
  id: string
  path: string
  channel: Channel
  senderId: string
  senderName: string
  header: string
  phone: number
  text: string
  parts: number
  reference: string | undefined
  metadata: Readonly<Record<string, string>> | undefined
  createdAt: Date
  sendAt: Date | undefined
  /** Of a leg: the first message, and how the one before ended. */
  leg: { legOf: string; enteredFor: string } | undefined
}

/** The answer of the number. */
export type TestAnswer = { id: string; text: string; at: Date }

export function answerTo({ phone, leg, createdAt, sendAt }: TestMessage): TestAnswer | undefined {
  const { answer } = fateOf({ phone, isLeg: leg !== undefined })
  return answer && { id: newId(), text: answer.text, at: after(sendAt ?? createdAt, answer.afterMs) }
}

const after = (begin: Date, ms: number) => new Date(begin.getTime() + ms)

/** All events that will ever occur for a message, each with its time. */
export function eventsOf(message: TestMessage, answer: TestAnswer | undefined): TestEvent[] {
  const begin = message.sendAt ?? message.createdAt
  const { steps } = fateOf({ phone: message.phone, isLeg: message.leg !== undefined })
  const reports = steps.map((step, index) => statusEvent(message, { begin, steps: steps.slice(0, index + 1), step }))
  return answer ? [...reports, inboundEvent(message, answer)] : reports
}

type Reported = { begin: Date; steps: readonly Step[]; step: Step }

function statusEvent(message: TestMessage, { begin, steps, step }: Reported): TestEvent {
  const { id, channel, header, senderId, senderName, parts, phone, reference, metadata, leg } = message
  const times = Object.fromEntries(
    steps.map(({ status, afterMs }) => [`${status}At`, after(begin, afterMs).toISOString()]),
  )
  const isExpired = step.status === 'failed' && step.reason === 'expired'
  return {
    type: isExpired ? 'message.expired' : `message.${step.status}`,
    at: after(begin, step.afterMs),
    orderKey: `+${phone}`,
    data: {
      id,
      kind: 'api',
      channel,
      to: `+${phone}`,
      from: header,
      sender: { id: senderId, name: senderName },
      status: step.status,
      ...(step.status === 'failed' && { reason: step.reason, code: step.code }),
      parts,
      cost: 0,
      ...(leg && { legOf: leg.legOf }),
      ...(reference !== undefined && { reference }),
      ...(metadata !== undefined && { metadata }),
      ...times,
    },
  }
}

/** Conversations and contacts of the sandbox do not exist: their ids are those of the message. */
function inboundEvent({ id, channel, senderId, senderName, phone }: TestMessage, answer: TestAnswer): TestEvent {
  return {
    type: 'message.inbound',
    at: answer.at,
    orderKey: `+${phone}`,
    data: {
      id: answer.id,
      conversationId: id,
      contactId: id,
      channel,
      sender: { id: senderId, name: senderName },
      from: `+${phone}`,
      name: `+${phone}`,
      body: { type: 'text', text: answer.text },
      inReplyToId: id,
      receivedAt: answer.at.toISOString(),
    },
  }
}
