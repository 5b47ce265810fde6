/**
 * 1,000,000 numbers of an audience asked for at the simulated Google in another process, 10,000 a call, each answer stored as one
 * bitmap, and the campaign's leg cut to those who can be reached. The bound is the same calls from a bare client that keeps nothing.
 */
import { once } from 'node:events'
import { Pool } from 'undici'
import { RcsPartner } from '../packages/server/src/channels/rcs/partner.ts'
import { asSystem, type Database } from '../packages/server/src/db/pool.ts'
import { createEgress } from '../packages/server/src/egress/egress.ts'
import { systemClock } from '../packages/server/src/lib/clock.ts'
import { createSecretBox } from '../packages/server/src/lib/secrets.ts'
import { checkReach } from '../packages/server/src/modules/campaigns/reach/check-reach.ts'
import { cutUnreachable } from '../packages/server/src/modules/campaigns/reach/cut-unreachable.ts'
import { beginCheck } from '../packages/server/src/modules/campaigns/reach/reach.queries.ts'
import { buildCampaign, buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { demoPartner } from '../packages/simulator/src/rbm/demo-agent.ts'
import { createOwner } from './dispatch.ts'
import { assertEqual, benchDatabase, contest, measure, type BenchDatabase } from './harness.ts'
import { control } from './http-campaign.ts'
import { startSimulatorProcess } from './smpp.ts'

const people = 1_000_000
const batchSize = 10_000
/** Calls at the same time, as in the product. */
const concurrency = 4
const reachShare = 0.7
const { agentId, clientToken } = demoPartner

export async function benchReach(): Promise<void> {
  const bench = await benchDatabase()
  const simulator = await startSimulatorProcess()
  try {
    await control(simulator.http, '/api/rbm/settings', { reachShare })
    const prepared = await prepare(bench, simulator.http)
    await contest({
      name: 'reach',
      unit: 'numbers',
      count: people,
      target: 0.7,
      database: bench.database,
      ours: () => checkAndCut(bench.database, prepared),
      limit: () => askBare(simulator.http),
    })
  } finally {
    simulator.process.kill('SIGTERM')
    await once(simulator.process, 'exit')
    await bench.drop()
  }
}

type Prepared = {
  organizationId: string
  audienceId: string
  reading: number
  senderId: string
  campaignId: string
  port: number
}

async function prepare({ database }: BenchDatabase, port: number): Promise<Prepared> {
  const owner = await createOwner(database)
  const { organizationId } = owner
  const senderId = await buildSender(database, owner)
  const campaignId = await buildCampaign(database, { owner, senderId, total: people, status: 'paused' })
  const { rows } = await database.ownerPool.query<{ audience: string; reading: number; account: string }>(
    `select audience_id as audience, (select reading from audiences where id = audience_id) as reading, (select provider_account_id from senders where id = $2) as account from campaigns where id = $1`,
    [campaignId, senderId],
  )
  const [found] = rows
  if (!found) throw new Error('The campaign was not built')
  const { audience, reading, account } = found
  const place = { table: 'provider_accounts', organizationId, id: account }
  await database.ownerPool.query(
    `update provider_accounts set channel = 'rcs', provider = 'rbm', config = $2, secrets = $3, secret_names = '{clientToken}' where id = $1`,
    [account, JSON.stringify({ agentId }), secretBox.seal({ clientToken }, place)],
  )
  await database.ownerPool.query(`update senders set channel = 'rcs' where id = $1`, [senderId])
  await database.ownerPool.query(`update campaign_legs set channel = 'rcs' where campaign_id = $1`, [campaignId])
  await database.ownerPool.query('analyze')
  return { organizationId, audienceId: audience, reading, senderId, campaignId, port }
}

const secretBox = createSecretBox('ab'.repeat(32))

async function checkAndCut(database: Database, { campaignId, port, reading, ...key }: Prepared): Promise<number> {
  await database.ownerPool.query('truncate reach_batches, reach_checks, leg_members, leg_skips')
  const serviceAccount = await control(port, '/api/rbm/service-account')
  const apiUrl = `http://127.0.0.1:${port}/rbm`
  const settings = RcsPartner.parse({ serviceAccount, apiUrl, managementUrl: `${apiUrl}/management` })
  const seconds = await measure(async () => {
    await asSystem(database, (db) => beginCheck(db, key, reading))
    await checkReach(
      {
        database,
        batchSize,
        secretBox,
        callbackUrl: () => '',
        io: {
          clock: systemClock,
          readInstallationSettings: async () => settings,
          egress: createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: concurrency }),
        },
        onFinished: async () => undefined,
        afterFinished: async () => undefined,
      },
      key,
    )
    await asSystem(database, async (db) => {
      const campaign = await db
        .selectFrom('campaigns')
        .selectAll()
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow()
      await cutUnreachable(db, campaign)
    })
  })
  const { rows } = await database.ownerPool.query<{ status: string; found: number; members: number }>(
    `select (select coalesce(error, status) from reach_checks) as status, (select sum(found)::int from reach_batches) as found,
      (select sum(bit_count(members))::int from leg_members) as members`,
  )
  const [result] = rows
  assertEqual(result?.status, 'done', 'check')
  assertEqual(result?.members, result?.found, 'members')
  return seconds
}

async function askBare(port: number): Promise<number> {
  // The control API returns tokens in this form.
  const { token } = (await control(port, '/api/rbm/tokens', {})) as { token: string }
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  let asked = 0
  const next = async (): Promise<void> => {
    while (asked < people) {
      const from = asked
      asked += batchSize
      const users = Array.from({ length: batchSize }, (_, index) => `+${phoneOf(from + index)}`)
      const { statusCode, body } = await pool.request({
        path: '/rbm/asia/v1/users:batchGet',
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ users, agentId }),
      })
      await body.json()
      if (statusCode !== 200) throw new Error(`The simulator answered ${statusCode}`)
    }
  }
  const seconds = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, next))
  })
  await pool.close()
  return seconds
}
