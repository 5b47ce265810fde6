import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildManager, type Account } from '../../testing/builders.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { killWorker, startWorker } from '../../testing/worker-processes.ts'
import { buildSent } from './test-sent.ts'
import { readCsv, request, today } from './test-reports.ts'

const recipients = 300_000

let server: TestServer
let manager: Account
let campaignId: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  server = await testServer({ flags: ['--run=web'] })
  manager = await buildManager(server.database)
  const sent = await buildSent(server.database, { owner: manager, name: 'Diwali' })
  campaignId = sent.id
  await server.database.ownerPool.query(
    `insert into messages (organization_id, created_on, campaign_id, seq, sender_id, phone, status, parts, price, sent_at, left_on)
    select $1, $2, $3, seq, $4, 919876500000 + seq, 'delivered', 1, 1250, now(), $5 from generate_series(5, $6::int - 1) as seq`,
    [manager.organizationId, sent.createdOn, sent.id, sent.smsSender, today, recipients],
  )
  await server.database.ownerPool.query('update campaigns set total = $2 where id = $1', [sent.id, recipients])
})
afterAll(async () => {
  for (const worker of workers) await killWorker(worker)
  await server.close()
})

test('a report whose worker is killed is prepared from the start by the next one, with every row once', async () => {
  const wanted = { as: manager, campaignId, detailedCampaignReport: true, format: 'csv' } as const
  const { reportId } = (await request(server, wanted)).data()
  const get = () => server.ask('reportFiles.details', { as: manager, path: { id: reportId } })

  const first = startWorker(server)
  workers.push(first)
  await expect.poll(async () => (await get()).status, { timeout: 30_000, interval: 10 }).toBe('processing')
  await killWorker(first)
  expect(await get()).toMatchObject({ status: 'processing', sizeBytes: null })
  expect(await server.call('reportFiles.download', { as: manager, path: { id: reportId } })).toMatchObject({
    status: 409,
    body: { message: 'This report is not ready yet' },
  })

  workers.push(startWorker(server))
  await expect.poll(async () => (await get()).status, { timeout: 90_000 }).toBe('ready')
  // Recipients, a second message of one of them, and the header.
  const file = await server.call('reportFiles.download', { as: manager, path: { id: reportId } })
  const lines = readCsv(file.text)
  expect(lines).toHaveLength(recipients + 2)
  expect(new Set(lines.map((cells) => cells[3])).size).toBe(recipients + 1)
  expect((await get()).rows).toBe(recipients + 1)
}, 180_000)
