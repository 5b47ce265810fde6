import { vi } from 'vitest'
import type { DeliveredType } from '@carillon/contract/webhook-records'
import { asSystem } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { createLogger } from '../../lib/logger.ts'
import { createSecretBox } from '../../lib/secrets.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { composeBody } from './body.ts'
import { startDelivering, type Deliveries, type DeliveryTiming } from './delivery/deliver.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { verify, type ReceivedWebhook, type Receiver } from '../../testing/webhook-receiver.ts'

const secretKey = 'ab'.repeat(32)

/** A clock that tests move forwards. */
export type MovedClock = Clock & { move(ms: number): void; reset(): void }

export function movedClock(): MovedClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    move(ms) {
      offset += ms
    },
    reset() {
      offset = 0
    },
  }
}

const quick: Partial<DeliveryTiming> = { poll: 50, beat: 100, rest: 1000, timeout: 300, grace: 100 }

export type DeliveryTest = {
  server: TestServer
  /** For other processes of the installation. */
  environment: NodeJS.ProcessEnv
  clock: MovedClock
  /** Starts a process's delivery, with short times unless others are given. */
  start(timing?: Partial<DeliveryTiming>, key?: string): Deliveries
  /** Stops all that were started. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** A server whose deliveries the test starts itself. */
export async function deliveryTest(receivers: readonly Receiver[]): Promise<DeliveryTest> {
  const clock = movedClock()
  const allowed = receivers.map(({ port }) => `127.0.0.1:${port}`).join()
  const environment = { EGRESS_ALLOW: allowed, SECRET_KEY: secretKey }
  // Its sessions would end with a moved clock.
  const server = await testServer({ environment, flags: ['--run=web'] })
  const running: Deliveries[] = []
  const stop = async () => {
    await Promise.all(running.splice(0).map((deliveries) => deliveries.stop()))
  }
  return {
    server,
    environment,
    clock,
    start(timing, key = secretKey) {
      const deliveries = startDelivering({
        database: server.database,
        databaseUrl: server.databaseUrl,
        logger: createLogger('silent'),
        clock,
        egress: server.app.egress,
        secretBox: createSecretBox(key),
        timing: { ...quick, ...timing },
      })
      running.push(deliveries)
      return deliveries
    },
    stop,
    async close() {
      await stop()
      await server.close()
    },
  }
}

export type Queued = { type?: DeliveredType; orderKey?: string; count?: number; data?: Record<string, unknown> }

/** Queues deliveries with a running number; returns their ids. */
export async function queueDeliveries(
  { server, clock }: Pick<DeliveryTest, 'server' | 'clock'>,
  { organizationId, endpointId }: { organizationId: string; endpointId: string },
  { type = 'endpoint.test', orderKey, count = 1, data }: Queued = {},
): Promise<string[]> {
  const now = clock.now()
  const deliveries = Array.from({ length: count }, (_, number) => {
    // Events occur one after the other.
    const at = new Date(now.getTime() + number)
    const body = composeBody(type, at, { number, orderKey, ...data })
    return { organizationId, endpointId, id: newId(), type, at, orderKey: orderKey ?? null, body }
  })
  await asSystem(server.database, (db) => enqueueDeliveries(db, { deliveries, isRetained: false, now }))
  return deliveries.map(({ id }) => id)
}

/** Verifies a request at the time of its sender, which may be moved. */
export function verifyAt(clock: Clock, secret: string, request: ReceivedWebhook): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  try {
    return verify(secret, request)
  } finally {
    vi.useRealTimers()
  }
}
