/**
 * A campaign to 100,000 people over RCS, then SMS: 40,000 phones have no RCS and fail over at once, and 10,000 are offline, so that
 * their messages are revoked when their time has passed. The time in which nothing but that time passes is not measured. The bound is
 * the sum of the parts of both legs, each run alone: the HTTP requests with their events and the revocations, the SMPP submits with
 * their reports, leasing and appending, and applying reports in thousands.
 */
import { once } from 'node:events'
import { Pool } from 'undici'
import { rbm } from '../packages/server/src/channels/rcs/rbm/rbm.ts'
import type { RbmConfig } from '../packages/server/src/channels/rcs/rbm/config.ts'
import { smpp } from '../packages/server/src/channels/sms/smpp/smpp.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { checkInvariants } from '../packages/server/src/modules/balance/index.ts'
import { foldCounters } from '../packages/server/src/modules/messages/housekeeping/fold-counters.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { createOwner, leaseAndAppend } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'
import {
  concurrency,
  control,
  moveToChannel,
  people,
  progress,
  receive,
  sendBare as sendBareRcs,
  startCampaign,
  startProduct,
  type Route,
} from './http-campaign.ts'
import { routeTo } from './rcs.ts'
import { applyBareReports, configOf, sendBare as sendBareSms, startSimulatorProcess } from './smpp.ts'

/** Of every ten people, by position: phones without RCS, then phones that are offline. */
const shares = { withoutRcs: 4, offline: 1 }
const count = (share: number) => (people / 10) * share
const reached = people - count(shares.withoutRcs + shares.offline)
const overSms = people - reached
const enterAfterSeconds = 3600

type Routes = { route: Route<RbmConfig>; smsc: number }

export async function benchFailover(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  try {
    await control(simulator.http, '/api/rbm/settings', { readShare: 0, webhookInFlight: 512 })
    await preparePhones(simulator.http)
    const route = await routeTo(simulator.http)
    await contest({
      name: 'failover',
      unit: 'people',
      count: people,
      target: 0.5,
      database: bench.database,
      ours: () => sendOverBoth(bench, { route, smsc: simulator.smsc }),
      limit: async () =>
        (await sendBareRcs(route, { expected: [200, 404] })) +
        (await revokeBare(route)) +
        (await sendBareSms(simulator.smsc, overSms)) +
        (await leaseAndAppend(bench.database, people + overSms, 45)) +
        (await applyBareReports(bench.database)),
    })
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

const isWithoutRcs = (seq: number) => seq % 10 < shares.withoutRcs
const isOffline = (seq: number) => !isWithoutRcs(seq) && seq % 10 < shares.withoutRcs + shares.offline

/** The control API changes one phone a call. */
async function preparePhones(port: number) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  const seqs = Array.from({ length: people }, (_, seq) => seq).filter((seq) => isWithoutRcs(seq) || isOffline(seq))
  const next = async (): Promise<void> => {
    for (let seq = seqs.pop(); seq !== undefined; seq = seqs.pop()) {
      const answer = await pool.request({
        path: `/api/rbm/people/${phoneOf(seq)}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(isWithoutRcs(seq) ? { isRcs: false } : { isOnline: false }),
      })
      assertEqual(answer.statusCode, 200, 'the change of a phone')
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, next))
  await pool.close()
}

/** Sends the campaign until everyone has a delivered message, and checks the result. */
async function sendOverBoth(bench: BenchDatabase, { route, smsc }: Routes): Promise<number> {
  const { database } = bench
  const owner = await createOwner(database)
  const [first, second] = [
    await buildSender(database, owner, { ratePerSecond: 10_000 }),
    await buildSender(database, owner, { ratePerSecond: 10_000 }),
  ]
  const campaignId = await buildCampaign(database, {
    owner,
    senderId: first,
    total: people,
    body: 'Your order has left our store and arrives tomorrow.',
    variables: [],
    billableOn: 'delivered',
    status: 'paused',
  })
  await addSmsLeg(database, { campaignId, senderId: second })
  await moveToChannel(database, { senderId: first, campaignId }, route)
  await database.ownerPool.query('analyze')
  const ratePerSecond = Number.POSITIVE_INFINITY
  const product = await startProduct(bench, {
    organizationId: owner.organizationId,
    connections: new Map([
      [first, { provider: rbm, config: route.config, ratePerSecond, idempotent: true }],
      [second, { provider: smpp, config: configOf(smsc), ratePerSecond, idempotent: false }],
    ]),
    ports: [route.port, smsc],
    settings: route.settings,
  })
  const hooks = await receive(route, (events) => product.apply(first, events))
  await route.setWebhook(hooks.url, { isBare: false })
  const untilDelivered = async (total: number) => {
    while ((await progress(database, campaignId)).delivered < total)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const online = await measure(async () => {
    await startCampaign(database, campaignId)
    product.wake()
    await untilDelivered(people - count(shares.offline))
  })
  await passTime(database, campaignId)
  const offline = await measure(() => untilDelivered(people))
  await product.stop()
  await hooks.close()
  await assertOutcome(database, campaignId)
  return online + offline
}

/** For those without RCS at once, and for those whose message has not arrived in time. */
async function addSmsLeg(database: Database, { campaignId, senderId }: { campaignId: string; senderId: string }) {
  await database.ownerPool.query(
    `insert into campaign_legs (organization_id, campaign_id, leg, channel, sender_id, content, price, billable_on,
      enter_reasons, enter_after_seconds, enter_unless)
    select organization_id, campaign_id, 2, 'sms', $2, content, price, billable_on,
      '{number_unreachable,not_delivered_in_time,expired,revoked}', $3, 'delivered'
    from campaign_legs where campaign_id = $1`,
    [campaignId, senderId, enterAfterSeconds],
  )
  await database.ownerPool.query(
    'update campaign_legs set ttl_seconds = $2, revoke_grace_seconds = 0 where campaign_id = $1 and leg = 1',
    [campaignId, enterAfterSeconds],
  )
}

/** As if the messages that have not arrived had left longer ago than the second leg waits. */
async function passTime(database: Database, campaignId: string) {
  await database.ownerPool.query(
    `update messages set sent_at = now() - make_interval(secs => $2) where campaign_id = $1 and leg = 1 and status = 'sent'`,
    [campaignId, enterAfterSeconds + 1],
  )
  await database.ownerPool.query('update leg_watches set due_at = now() where campaign_id = $1', [campaignId])
}

/** Everyone has one delivered message, on the leg that suits the phone, and pays for that alone. */
async function assertOutcome(database: Database, campaignId: string) {
  await foldCounters(database.systemPool)
  const { rows } = await database.ownerPool.query(
    `select leg, status, reason, count(*) from messages where campaign_id = $1 group by leg, status, reason order by leg, status::text, reason`,
    [campaignId],
  )
  assertEqual(
    rows,
    [
      { leg: 1, status: 'delivered', reason: null, count: reached },
      { leg: 1, status: 'failed', reason: 'number_unreachable', count: count(shares.withoutRcs) },
      { leg: 1, status: 'failed', reason: 'revoked', count: count(shares.offline) },
      { leg: 2, status: 'delivered', reason: null, count: overSms },
    ],
    'messages',
  )
  assertEqual(await asSystem(database, checkInvariants), [], 'ledger')
}

/** The revocations of a bare client. The ids are of no message, which costs the simulator the same. */
async function revokeBare({ port, bareRequest }: Route<RbmConfig>): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  let left = count(shares.offline)
  const next = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const { path, headers } = bareRequest(`+${phoneOf(left)}`)
      const [base = '', query] = path.split('?')
      const id = new URLSearchParams(query).get('messageId')
      const answer = await pool.request({ path: `${base}/${id}?${query}`, method: 'DELETE', headers })
      await answer.body.dump()
    }
  }
  const seconds = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, next))
  })
  await pool.close()
  return seconds
}
