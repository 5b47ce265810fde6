import type { ProviderEvent } from '../channels/provider.ts'
import { asSystem } from '../db/pool.ts'
import { eventChannel } from '../events/domain-events.ts'
import { coalesce } from '../lib/coalesce.ts'
import type { Logger } from '../lib/logger.ts'
import { openConversations } from '../modules/conversations/index.ts'
import { followSender } from '../modules/campaigns/index.ts'
import { applyInbound, applyProviderEvents, type Poison } from '../modules/messages/index.ts'
import type { Services } from './services.ts'

type Line = {
  organizationId: string
  senderId: string
  /** Replies may be charged, and then balances of its organisation and its resellers are locked. */
  chargesReplies?: boolean
}

/** Stores and applies events of a line; resolves after the commit. */
export type EventSink = (line: Line, events: readonly ProviderEvent[]) => Promise<void>

type EventSinkServices = Pick<Services, 'database' | 'logger'>

type Inbound = Parameters<typeof applyInbound>[2][number]

/** A callback with more messages than this is a batch in itself. */
const fewMessages = 20

const ofOneLine = { size: 1000, waitMs: 100, quietMs: 2 }
const ofManyLines = { size: 500, waitMs: 5, quietMs: 1 }

/** An organisation whose rows are locked delays only the organisations of its queue. */
const queues = 4

/**
 * Combines events of several callbacks into one transaction: single inbound messages with those of other lines, all else with
 * events of the same line.
 */
export function createEventSink(services: EventSinkServices): EventSink {
  const byLine = new Map<string, ReturnType<typeof createLineSink>>()
  const shared = Array.from({ length: queues }, () => createSharedSink(services))
  return (line, events) => {
    const messages = events.filter((event) => event.kind === 'inbound-message')
    const isShared = messages.length === events.length && events.length <= fewMessages && !line.chargesReplies
    const queue = isShared ? shared[Number.parseInt(line.organizationId.slice(-4), 16) % queues] : undefined
    if (queue) return queue(messages.map((message) => ({ line, message })))
    let sink = byLine.get(line.senderId)
    if (!sink) {
      sink = createLineSink(services, line)
      byLine.set(line.senderId, sink)
    }
    return sink(events)
  }
}

function createSharedSink({ database, logger }: EventSinkServices) {
  return coalesce<Inbound>(async (received) => {
    const { hasNew, poison } = await applyInbound(database.systemPool, openConversations, received)
    for (const { line, ...event } of poison) logPoison(logger, line, event)
    if (hasNew) database.notifySoon(eventChannel)
  }, ofManyLines)
}

function createLineSink({ database, logger }: EventSinkServices, { organizationId, senderId }: Line) {
  const key = { organizationId, senderId }
  return coalesce<ProviderEvent>(async (events) => {
    const { inbound, poison } = await applyProviderEvents(
      database.systemPool,
      { ...key, onInbound: openConversations },
      events,
    )
    for (const event of poison) logPoison(logger, key, event)
    if (inbound.length > 0) database.notifySoon(eventChannel)
    if (events.some(reportsSenderLimit))
      await asSystem(database, (db) => followSender(db, { ...key, stops: 'everything' }))
  }, ofOneLine)
}

function reportsSenderLimit(event: ProviderEvent): boolean {
  return event.kind === 'delivery-report' && event.reason === 'sender_spam_limited'
}

type About = { organizationId: string; senderId?: string; providerAccount?: string }

/** The payload is not logged: it contains users' texts. */
export function logPoison(logger: Logger, about: About, { kind, error }: Poison) {
  logger.error({ ...about, kind, err: error }, 'a provider event could not be applied and was stored for analysis')
}
