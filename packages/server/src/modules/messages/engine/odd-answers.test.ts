import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { httpGateway } from '../../../channels/sms/http-gateway/http-gateway.ts'
import { asSystem } from '../../../db/pool.ts'
import { createEgress } from '../../../egress/egress.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createLogger } from '../../../lib/logger.ts'
import type { Account } from '../../../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { until } from '../../../testing/until.ts'
import { recordConnectionFailure } from '../../senders/index.ts'
import { startSender, type Sender } from './sender.ts'
import { buildCampaign, buildLane, isCompleted } from '../test-lane.ts'

let opened: TestDatabase
let manager: Account
let senderId: string
let gateway: Server
let port: number
let answer: { status: number; body: string | Buffer }
let sender: Sender

beforeAll(async () => {
  opened = await testDatabase()
  ;({ manager, senderId } = await buildLane(opened.database))
  gateway = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const address = gateway.address()
  port = typeof address === 'object' && address ? address.port : 0
  sender = await startGatewaySender()
})
afterAll(async () => {
  await sender.stop()
  gateway.close()
  await opened.drop()
})

function startGatewaySender(): Promise<Sender> {
  const config = httpGateway.config.parse({
    url: `http://127.0.0.1:${port}/send`,
    bodyTemplate: '{"to":"{{to}}","text":"{{text}}"}',
    successRule: 'id',
    idPath: 'id',
    errorCodePath: 'code',
    errorTextPath: 'text',
  })
  return startSender({
    database: opened.database,
    databaseUrl: opened.url,
    logger: createLogger(process.env['TEST_LOG'] ?? 'silent'),
    io: {
      clock: systemClock,
      readInstallationSettings: async () => undefined,
      egress: createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 8 }),
    },
    loadConnection: async () => ({
      provider: httpGateway as never,
      config,
      ratePerSecond: Number.POSITIVE_INFINITY,
      callbackUrl: '',
      idempotent: false,
    }),
    applyEvents: async () => undefined,
    async onSenderRefused(refused) {
      await asSystem(opened.database, (db) => recordConnectionFailure(db, refused))
    },
  })
}

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await opened.database.systemPool.query<Row>(text, values)).rows

type Written = { status: string; code: string | null; detail: string | null; provider_message_id: string | null }

async function sendTo(given: typeof answer, build = {}): Promise<Written[]> {
  answer = given
  const campaignId = await buildCampaign(opened.database, { owner: manager, senderId, total: 2, ...build })
  await until(() => isCompleted(opened.database, campaignId), 'completion')
  return query<Written>('select status, code, detail, provider_message_id from messages where campaign_id = $1', [
    campaignId,
  ])
}

const long = 'x'.repeat(30_000)

test.each<[string, typeof answer, object]>([
  [
    'NULs and halves of characters in JSON',
    { status: 400, body: String.raw`{"code":"E\u0000\ud83d1","text":"bad \u0000 \ud83d text"}` },
    { status: 'failed', code: 'E\ufffd1', detail: 'bad  \ufffd text' },
  ],
  ['NULs in plain text', { status: 400, body: 'bad\0text' }, { status: 'failed', code: '400', detail: 'badtext' }],
  [
    'octets that are no UTF-8',
    { status: 400, body: Buffer.from([0x62, 0x61, 0x64, 0xf0, 0x9f, 0x98]) },
    { status: 'failed', code: '400', detail: 'bad\ufffd' },
  ],
  [
    'a long code and long words',
    { status: 400, body: JSON.stringify({ code: long, text: `${'x'.repeat(299)}😀${long}` }) },
    { status: 'failed', code: 'x'.repeat(64), detail: 'x'.repeat(299) },
  ],
  [
    'an unreadable failure of the gateway',
    { status: 500, body: String.raw`{"code":"\ud83d","text":"\u0000"}` },
    { status: 'unknown', code: '\ufffd' },
  ],
  [
    'an id with a NUL and half a character',
    { status: 200, body: String.raw`{"id":"id\u0000 \ud83d"}` },
    { status: 'sent', provider_message_id: 'id \ufffd' },
  ],
  [
    'a long id',
    { status: 200, body: JSON.stringify({ id: long }) },
    { status: 'sent', provider_message_id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string },
  ],
])('%s: the messages have their result', async (_, given, written) => {
  const rows = await sendTo(given)
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(row).toMatchObject(written)
})

test('an unreadable rejection of the credentials is reported and shown with the connection', async () => {
  answer = { status: 401, body: String.raw`{"code":"401\u0000","text":"No\u0000 \ud83d"}` }
  await buildCampaign(opened.database, { owner: manager, senderId, total: 2 })
  const failure = async () =>
    (await query<{ failure: object | null }>('select failure from provider_accounts'))[0]?.failure
  await until(async () => Boolean(await failure()), 'the failure')
  expect(await failure()).toMatchObject({ code: '401', detail: 'No \ufffd' })
  type Lane = { state: { lastError?: { code: string; message: string } } | null }
  const lastError = async () => (await query<Lane>('select state from lanes'))[0]?.state?.lastError
  await until(async () => (await lastError())?.code === '401', 'the state')
  expect(await lastError()).toMatchObject({ message: 'No \ufffd' })
})
