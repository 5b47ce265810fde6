import type { FastifyInstance } from 'fastify'
import { asSystem, type Db } from '../db/pool.ts'
import { mountWebhooks } from '../http/webhooks.ts'
import { followTemplate } from '../modules/campaigns/index.ts'
import {
  applyInParts,
  setAsidePoison,
  routeEvents,
  storableEvent,
  type AccountEvent,
} from '../modules/messages/index.ts'
import { createCallbackLookup, enqueueLineSync, noteHandshake, type AccountKey } from '../modules/senders/index.ts'
import { applyTemplateChanges, enqueueTemplateSync } from '../modules/templates/index.ts'
import { logPoison, type EventSink } from './event-sink.ts'
import { providerQueryDeps } from './links.ts'
import type { Services } from './services.ts'

type CallbackDependencies = {
  applyEvents: EventSink
  /** Resolves when the known outcomes of a sender's messages are written. */
  caughtUp(senderId: string): Promise<void>
}

/** Mounts provider callbacks: events of lines are batched, events of an account are applied immediately. */
export async function mountCallbacks(
  http: FastifyInstance,
  services: Services,
  { applyEvents, caughtUp }: CallbackDependencies,
) {
  const { database, clock, logger } = services
  await mountWebhooks(http, {
    logger,
    publicUrl: services.publicUrl,
    findTarget: createCallbackLookup({ ...providerQueryDeps(services), database }),
    async applyEvents({ organizationId, accountId, lines }, events) {
      const { byLine, ofAccount, unroutable } = routeEvents(events, lines)
      if (unroutable > 0) logger.warn({ providerAccount: accountId, events: unroutable }, 'callbacks for unknown lines')
      await Promise.all(
        byLine.map(async ({ line: { senderId, chargesReplies }, events: ofLine }) => {
          if (ofLine.some(({ kind }) => kind === 'delivery-report')) await caughtUp(senderId)
          await applyEvents({ organizationId, senderId, chargesReplies }, ofLine)
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
