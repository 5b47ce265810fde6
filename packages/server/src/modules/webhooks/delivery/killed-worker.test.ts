import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FailPoint } from '../../../lib/fail-points.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { killedProcesses, type KilledProcesses } from '../../../testing/killed-process.ts'
import { deliveryTest, queueDeliveries, type DeliveryTest } from '../test-delivery.ts'
import {
  createEndpoint,
  deliveriesOf,
  startReceiver,
  type Receiver,
  type TestEndpoint,
} from '../../../testing/webhook-receiver.ts'

let receiver: Receiver
let it: DeliveryTest
let processes: KilledProcesses
let manager: Account
let endpoint: TestEndpoint

beforeAll(async () => {
  receiver = await startReceiver()
  it = await deliveryTest([receiver])
  processes = killedProcesses(it.server)
})
afterAll(async () => {
  processes.end()
  await it.close()
  await receiver.close()
})
beforeEach(async () => {
  receiver.reset()
  manager = await buildManager(it.server.database)
  endpoint = await createEndpoint(it.server, manager, { url: receiver.url() })
})
afterEach(() => it.stop())

const points: [FailPoint, number][] = [
  ['webhook-after-wire', 1],
  ['webhook-after-wire', 11],
  ['webhook-before-record', 2],
]

test.each(points)(
  '%s: after a kill, pass %d, the next owner sends what has no result',
  async (point, nth) => {
    const ids = await queueDeliveries(
      it,
      { organizationId: manager.organizationId, endpointId: endpoint.id },
      { count: 30 },
    )
    const { environment } = it
    const { exited } = await processes.startKilledAt(point, { role: 'worker', nth, environment })
    await exited
    const before = receiver.received.length
    expect(before).toBeGreaterThan(0)
    it.start()
    // When the lease of the killed process has run out.
    await expect
      .poll(
        async () =>
          (await deliveriesOf(it.server, { as: manager, ...endpoint }, { status: 'delivered', limit: 50 })).length,
        {
          timeout: 30_000,
          interval: 200,
        },
      )
      .toBe(ids.length)
    const got = receiver.received.map(({ id }) => id)
    expect(new Set(got).size).toBe(ids.length)
    // Only those without a result come twice: at most four were in flight.
    expect(got.length - ids.length).toBeLessThanOrEqual(point === 'webhook-after-wire' ? 30 : before)
  },
  60_000,
)
