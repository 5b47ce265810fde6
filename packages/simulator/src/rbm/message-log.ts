import type { Agent, TrafficType } from './objects.ts'
import type { RcsContent } from './rcs-content.ts'
import type { RbmResult } from './results.ts'

/** `held` messages wait for the phone; `shown` ones are on its screen. */
export type RbmMessageStatus = 'accepted' | 'held' | 'shown' | 'revoked' | 'expired' | 'failed'

/** A message accepted from an agent. */
export type RbmMessage = {
  sequence: number
  id: string
  agent: Agent
  /** Digits. */
  number: string
  content: RcsContent
  text: string
  trafficType: TrafficType | undefined
  /** Dotgo: the code of the template. */
  templateCode: string | undefined
  acceptedAtMs: number
  expiresAtMs: number | undefined
  status: RbmMessageStatus
  /** Every time the phone showed it: more than one is a duplicate. */
  shownAtMs: number[]
  /** Promotional, and shown to a person who had unsubscribed. */
  isUnwanted: boolean
  isRead: boolean
  result: RbmResult
  /** The response, repeated for a repeated request. */
  answer: string
}

/** A message from a person. */
export type InboundMessage = { id: string; agentId: string; number: string; isRead: boolean }

export type MessageLog = {
  add: (message: Omit<RbmMessage, 'sequence'>) => RbmMessage
  find: (message: MessageName) => RbmMessage | undefined
  hold: (message: RbmMessage) => void
  release: (message: RbmMessage) => void
  /** In the order of acceptance. */
  listHeld: (number: string) => RbmMessage[]
  addInbound: (message: InboundMessage) => void
  findInbound: (id: string) => InboundMessage | undefined
  list: (page: MessageFilter) => RbmMessage[]
  clear: () => void
}

export type MessageName = { agent: Agent; number: string; id: string }
export type MessageFilter = { since: number; limit: number; number?: string | undefined; agentId?: string | undefined }

const kept = 200_000

/** Recent messages in both directions, in insertion order. */
export function createMessageLog(): MessageLog {
  const sent = new Map<string, RbmMessage>()
  const inbound = new Map<string, InboundMessage>()
  const held = new Map<string, Set<RbmMessage>>()
  let sequence = 0

  return {
    add(fields) {
      const message = { ...fields, sequence: ++sequence }
      sent.set(keyOf(message), message)
      dropOldest(sent)
      return message
    },
    find: (name) => sent.get(keyOf(name)),
    hold(message) {
      const waiting = held.get(message.number) ?? new Set()
      held.set(message.number, waiting.add(message))
    },
    release(message) {
      const waiting = held.get(message.number)
      waiting?.delete(message)
      if (waiting?.size === 0) held.delete(message.number)
    },
    listHeld: (number) => [...(held.get(number) ?? [])],
    addInbound(message) {
      inbound.set(message.id, message)
      dropOldest(inbound)
    },
    findInbound: (id) => inbound.get(id),
    list({ since, limit, number, agentId }) {
      const page: RbmMessage[] = []
      for (const message of sent.values()) {
        if (message.sequence <= since) continue
        if (number !== undefined && message.number !== number) continue
        if (agentId !== undefined && message.agent.id !== agentId) continue
        page.push(message)
        if (page.length >= limit) break
      }
      return page
    },
    clear() {
      sent.clear()
      inbound.clear()
      held.clear()
    },
  }
}

/** Google's ids are unique per agent. The Dotgo platform does not look at them. */
function keyOf({ agent, number, id }: MessageName): string {
  return agent.platform === 'google' ? `${agent.id} ${id}` : `${agent.id} ${id} ${number}`
}

function dropOldest(messages: Map<string, unknown>) {
  if (messages.size <= kept) return
  for (const id of messages.keys()) {
    messages.delete(id)
    return
  }
}
