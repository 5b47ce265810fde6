import type { FastifyInstance } from 'fastify'
import type { ProviderEvent } from '../channels/provider.ts'
import { asSystem, type Db } from '../db/pool.ts'
import { eventChannel } from '../events/domain-events.ts'
import { mountWebhooks } from '../http/webhooks.ts'
import { coalesce } from '../lib/coalesce.ts'
import type { Logger } from '../lib/logger.ts'
import { openConversations } from '../modules/conversations/index.ts'
import { followSender, followTemplate } from '../modules/campaigns/index.ts'
import {
  applyInParts,
  applyProviderEvents,
  setAsidePoison,
  routeEvents,
  storableEvent,
  type AccountEvent,
  type Poison,
} from '../modules/messages/index.ts'
import { enqueueLineSync, findCallbackTarget, noteHandshake, type AccountKey } from '../modules/senders/index.ts'
import { applyTemplateChanges, enqueueTemplateSync } from '../modules/templates/index.ts'
import { providerQueryDeps } from './links.ts'
import type { Services } from './services.ts'

export type EventSink = (
  key: { organizationId: string; senderId: string },
  events: readonly ProviderEvent[],
) => Promise<void>

const batch = { size: 1000, waitMs: 100, quietMs: 2 }

/** Batches provider events per sender; each caller waits for the commit of its own. */
export function createEventSink({ database, logger }: Services): EventSink {
  const sinks = new Map<string, (events: readonly ProviderEvent[]) => Promise<void>>()
  return ({ organizationId, senderId }, events) => {
    let sink = sinks.get(senderId)
    if (!sink) {
      sink = coalesce<ProviderEvent>(async (gathered) => {
        const key = { organizationId, senderId }
        const { inbound, poison } = await applyProviderEvents(
          database.systemPool,
          { ...key, onInbound: openConversations },
          gathered,
        )
        for (const event of poison) logPoison(logger, key, event)
        if (inbound.length > 0) database.notifySoon(eventChannel)
        if (gathered.some(reportsSenderLimit))
          await asSystem(database, (db) => followSender(db, { ...key, stops: 'everything' }))
      }, batch)
      sinks.set(senderId, sink)
    }
    return sink(events)
  }
}

function reportsSenderLimit(event: ProviderEvent): boolean {
  return event.kind === 'delivery-report' && event.reason === 'sender_spam_limited'
}

/** The payload is not logged: it contains users' texts. */
function logPoison(logger: Logger, about: Record<string, string>, { kind, error }: Poison) {
  logger.error({ ...about, kind, err: error }, 'a provider event could not be applied and was stored for analysis')
}

type CallbackDependencies = {
  applyEvents: EventSink
  /** Resolves when the known outcomes of a sender's messages are written. */
  caughtUp(senderId: string): Promise<void>
}

/** Mounts provider callbacks: events of a sender are batched, events of an account are applied immediately. */
export async function mountCallbacks(
  http: FastifyInstance,
  services: Services,
  { applyEvents, caughtUp }: CallbackDependencies,
) {
  const { database, clock, logger } = services
  const connections = { ...providerQueryDeps(services), database }
  await mountWebhooks(http, {
    logger,
    publicUrl: services.publicUrl,
    findTarget: (key) => findCallbackTarget(connections, key),
    async applyEvents({ organizationId, accountId, lines }, events) {
      const { byLine, ofAccount, unroutable } = routeEvents(events, lines)
      if (unroutable > 0) logger.warn({ providerAccount: accountId, events: unroutable }, 'callbacks for unknown lines')
      await Promise.all(
        byLine.map(async ({ senderId, events: ofLine }) => {
          if (ofLine.some(({ kind }) => kind === 'delivery-report')) await caughtUp(senderId)
          await applyEvents({ organizationId, senderId }, ofLine)
        }),
      )
      if (ofAccount.length > 0) await applyToAccount(services, { organizationId, accountId }, ofAccount)
    },
    async setAside({ organizationId, accountId }, poison) {
      await setAsidePoison(database.systemPool, { organizationId, senderId: undefined }, poison)
      logPoison(logger, { organizationId, providerAccount: accountId }, poison)
    },
    async noteHandshake(target) {
      if (target.provider.manage) await asSystem(database, (db) => noteHandshake(db, target, clock.now()))
    },
  })
}

async function applyToAccount({ database, logger }: Services, account: AccountKey, events: readonly AccountEvent[]) {
  const { organizationId, accountId: providerAccount } = account
  await applyInParts(events, {
    apply: (part) => asSystem(database, (db) => applyAccountEvents(db, account, part.map(storableEvent))),
    async setAside({ kind, raw }, error) {
      await setAsidePoison(database.systemPool, { organizationId, senderId: undefined }, { kind, raw, error })
      logPoison(logger, { organizationId, providerAccount }, { kind, raw, error })
    },
  })
}

async function applyAccountEvents(db: Db, account: AccountKey, events: readonly AccountEvent[]): Promise<void> {
  const changes = events.filter((event) => event.kind === 'template-change')
  const { isToRead } = await applyTemplateChanges(db, account, { changes, onTemplateStatus: followTemplate })
  if (isToRead) await enqueueTemplateSync(db, account)
  if (changes.length < events.length) await enqueueLineSync(db, account)
}
