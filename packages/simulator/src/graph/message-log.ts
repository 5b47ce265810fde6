import type { PhoneContent } from './phone-content.ts'

export type MessageStatus = 'accepted' | 'held' | 'sent' | 'delivered' | 'read' | 'failed'

export type Pricing = {
  billable: boolean
  type: 'regular' | 'free_customer_service' | 'free_entry_point'
  category: string
}

/** A message accepted from a business. */
export type SentMessage = {
  sequence: number
  id: string
  wabaId: string
  phoneNumberId: string
  waId: string
  /** API version of the sending call; it determines the fields of status reports. */
  version: number
  type: string
  content: PhoneContent
  text: string
  reference: string | undefined
  pricing: Pricing
  conversationId: string
  isReceived: boolean
  status: MessageStatus
  errorCode: number | undefined
  isPriceSent: boolean
  /** Opened on the phone: not marked read automatically. */
  isOpened: boolean
  atMs: number
}

/** An inbound message that the business may refer to. */
export type InboundMessage = { id: string; phoneNumberId: string; waId: string; isRead: boolean; type: string }

export type MessageLog = {
  add: (message: Omit<SentMessage, 'sequence'>) => SentMessage
  find: (id: string) => SentMessage | undefined
  addInbound: (message: InboundMessage) => void
  findInbound: (id: string) => InboundMessage | undefined
  list: (page: { since: number; limit: number }) => SentMessage[]
  clear: () => void
}

const kept = 200_000

/** Recent messages in both directions, in insertion order. */
export function createMessageLog(): MessageLog {
  const sent = new Map<string, SentMessage>()
  const inbound = new Map<string, InboundMessage>()
  let sequence = 0

  return {
    add(fields) {
      const message = { ...fields, sequence: ++sequence }
      sent.set(message.id, message)
      dropOldest(sent)
      return message
    },
    find: (id) => sent.get(id),
    addInbound(message) {
      inbound.set(message.id, message)
      dropOldest(inbound)
    },
    findInbound: (id) => inbound.get(id),
    list({ since, limit }) {
      const page: SentMessage[] = []
      for (const message of sent.values()) {
        if (message.sequence <= since) continue
        page.push(message)
        if (page.length >= limit) break
      }
      return page
    },
    clear() {
      sent.clear()
      inbound.clear()
    },
  }
}

function dropOldest(messages: Map<string, unknown>) {
  if (messages.size <= kept) return
  for (const id of messages.keys()) {
    messages.delete(id)
    return
  }
}
