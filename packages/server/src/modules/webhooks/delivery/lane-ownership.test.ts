import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildManager, type Account } from '../../../testing/builders.ts'
import { until } from '../../../testing/until.ts'
import { deliveryTest, queueDeliveries, type DeliveryTest } from '../test-delivery.ts'
import {
  createEndpoint,
  deliveriesOf,
  startReceiver,
  type Receiver,
  type TestEndpoint,
} from '../../../testing/webhook-receiver.ts'
import { claimLanes, releaseLanes, renewLanes, type LaneKey } from './lanes.queries.ts'
import { recordResults } from './results.queries.ts'

let receiver: Receiver
let it: DeliveryTest
let manager: Account
let endpoint: TestEndpoint

beforeAll(async () => {
  receiver = await startReceiver()
  it = await deliveryTest([receiver])
})
afterAll(async () => {
  await it.close()
  await receiver.close()
})
beforeEach(async () => {
  await it.server.database.ownerPool.query('truncate webhook_queue, webhook_endpoints cascade')
  receiver.reset()
  manager = await buildManager(it.server.database)
  endpoint = await createEndpoint(it.server, manager, { url: receiver.url() })
})
afterEach(() => it.stop())

const pool = () => it.server.database.systemPool
const queue = (count: number) =>
  queueDeliveries(it, { organizationId: manager.organizationId, endpointId: endpoint.id }, { count })

async function claim(owner: string, leaseMs = 60_000): Promise<LaneKey | undefined> {
  const [key] = await claimLanes(pool(), { owner, now: it.clock.now(), leaseMs, limit: 10 })
  return key
}

const delivered = (key: LaneKey, id: string) =>
  recordResults(pool(), [
    {
      key,
      id,
      status: 'delivered',
      at: new Date(),
      attempt: { at: new Date().toISOString(), durationMs: 1, status: 200 },
    },
  ])

test('an endpoint has one owner until its lease runs out, and the results of a former owner are ignored', async () => {
  const [one, other] = [newId(), newId()]
  expect(await claim(one)).toBeUndefined()
  const [id = ''] = await queue(1)
  const former = await claim(one, 1)
  await until(async () => {
    const { rows } = await pool().query('select from webhook_lanes where lease_until < clock_timestamp()')
    return rows.length === 1
  }, 'the end of the lease')
  const present = await claim(other)
  if (!former || !present) throw new Error('The endpoint was not claimed')
  expect(present.epoch).toBe(former.epoch + 1)
  expect(await claim(one)).toBeUndefined()
  expect(await renewLanes(pool(), { owner: one, leaseMs: 1000 }, [former])).toEqual([])
  expect(await renewLanes(pool(), { owner: other, leaseMs: 1000 }, [present])).toHaveLength(1)

  await delivered(former, id)
  expect(await deliveriesOf(it.server, { as: manager, ...endpoint })).toMatchObject([{ status: 'pending' }])
  await releaseLanes(pool(), [former])
  expect(await claim(one)).toBeUndefined()
  await delivered(present, id)
  await delivered(present, id)
  expect(await deliveriesOf(it.server, { as: manager, ...endpoint })).toMatchObject([
    { status: 'delivered', attempts: [{ status: 200 }] },
  ])
})

test('a process that cannot renew its lease stops sending before another one may begin', async () => {
  receiver.respond = (_, response) => setTimeout(() => response.end(), 30)
  await queue(500)
  const client = await it.server.database.connectAsOwner()
  it.start({ lease: 600, beat: 100 })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(20)
  await client.query('begin')
  await client.query('select from webhook_lanes for update')
  const { rows } = await client.query<{ until: Date }>('select lease_until as until from webhook_lanes')
  await new Promise((resolve) => setTimeout(resolve, (rows[0]?.until.getTime() ?? 0) - Date.now()))
  const { length } = receiver.received
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.received.length).toBe(length)
  expect(length).toBeLessThan(500)
  await client.query('rollback')
  await client.end()
  await expect.poll(() => new Set(receiver.received.map(({ id }) => id)).size, { timeout: 20_000 }).toBe(500)
})
