import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../../../db/pool.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { recheckConnections } from '../../senders/index.ts'
import { until } from '../../../testing/until.ts'
import { buildApprovedTemplate, fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from '../../../testing/whatsapp-server.ts'

let fixtures: WhatsappServer
let connection: Awaited<ReturnType<typeof connectWhatsapp>>
let template: WhatsappTemplate

beforeAll(async () => {
  fixtures = await buildWhatsappServer()
  connection = await connectWhatsapp(fixtures)
  template = await buildApprovedTemplate(fixtures.ask, {
    waba_id: connection.waba_id,
    name: 'order_shipped',
    category: 'UTILITY',
    components: { body: 'Hello {{1}}, your order has shipped.', samples: [{ name: '1', sample: 'Asha' }] },
  })
}, 60_000)
afterAll(() => fixtures.close())

const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

async function startWithRevokedToken(name: string): Promise<string> {
  const { _id } = await fixtures.ask('waCampaigns.create', {
    body: {
      campaignName: name,
      waba_id: connection.waba_id,
      phone_number_id: connection.lineId,
      message: { templateId: template._id, values: { body: [{ column: 1, fallback: '' }] } },
    },
    files: fileOfPeople(['+919845011101', '+919845011102', '+919845011103']),
  })
  await until(async () => (await get(_id)).status === 'ready', 'validation')
  fixtures.simulator.graph.control.revokeToken({ token: fixtures.entry['accessToken'] })
  await fixtures.ask('waCampaigns.start', { path: { id: _id }, body: {} })
  await until(async () => (await get(_id)).status === 'paused', 'the pause')
  return _id
}

const findConnection = async () => (await fixtures.ask('wabas.list'))[0]

async function expectDelivered(id: string) {
  await until(async () => {
    const { stats } = await get(id)
    return stats.delivered + stats.read === 3
  }, 'the delivery')
}

test('an expired token pauses the campaign, is shown and notified, and sending resumes once the token works', async () => {
  const id = await startWithRevokedToken('Token expires')
  expect(await get(id)).toMatchObject({
    pauseReason: 'channel_disconnected',
    statusDetail: expect.stringContaining('rejects the account’s credentials'),
  })
  expect((await findConnection())?.steps.find(({ step }) => step === 'token')).toMatchObject({ state: 'failed' })
  const { notifications } = await fixtures.ask('notifications.list')
  expect(notifications.filter(({ kind }) => kind === 'connection_failed')).toMatchObject([
    { link: { type: 'connection', id: 'whatsapp' } },
  ])
  expect(await fixtures.ask('dashboard.attention')).toMatchObject({
    failedConnectionCount: 1,
    failedConnections: [{ _id: connection._id, channel: 'whatsapp' }],
  })
  expect((await fixtures.server.call('dashboard.attention', { as: fixtures.foreign })).body).toMatchObject({
    data: { failedConnectionCount: 0, failedConnections: [] },
  })
  const shown = { _id: connection._id, channel: 'whatsapp', detail: expect.any(String), failedAt: expect.any(String) }
  for (const as of [fixtures.manager, fixtures.user])
    expect(await fixtures.ask('channels.failedConnections', { as })).toMatchObject([shown])
  expect(await fixtures.ask('channels.failedConnections', { as: fixtures.foreign })).toEqual([])

  fixtures.simulator.graph.control.putToken({ token: fixtures.entry['accessToken'] })
  await asSystem(fixtures.server.database, (db) => addJob(db, recheckConnections, { payload: {} }))
  await until(async () => (await get(id)).status !== 'paused', 'the resumption')
  await expectDelivered(id)
  expect(await fixtures.ask('dashboard.attention')).toMatchObject({ failedConnectionCount: 0 })
  expect(await fixtures.ask('channels.failedConnections')).toEqual([])
  expect((await findConnection())?.steps.find(({ step }) => step === 'token')).toMatchObject({ state: 'passed' })
})

test('a new token that is entered resumes the campaign at once', async () => {
  const id = await startWithRevokedToken('Token is replaced')
  const { token } = fixtures.simulator.graph.control.putToken({ token: 'another-token' })
  await fixtures.ask('wabas.change', { path: { id: connection._id }, body: { accessToken: token } })
  await until(async () => (await get(id)).status !== 'paused', 'the resumption')
  await expectDelivered(id)
})
