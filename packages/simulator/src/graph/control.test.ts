import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../index.ts'
import { demoAccount } from './demo-account.ts'
import { startWebhook } from './testing.ts'

const [phoneNumberId] = demoAccount.phoneNumberIds
const person = '/people/919812345678'
let simulator: Simulator
let webhook: Awaited<ReturnType<typeof startWebhook>>

beforeEach(async () => {
  simulator = await startSimulator({ graph: { gapMs: [0, 1], readShare: 0 } })
  webhook = await startWebhook()
})
afterEach(async () => {
  await simulator.close()
  await webhook.close()
})

async function ask(path: string, body?: unknown) {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${simulator.httpPort}/api/graph${path}`, options)
  return { status: answer.status, body: await answer.json() }
}

test('everything can be controlled over HTTP too', async () => {
  expect((await ask('/webhook', { url: webhook.url })).body).toMatchObject({
    appId: demoAccount.appId,
    url: webhook.url,
  })
  expect((await ask(`${person}/messages`, { phoneNumberId, type: 'text', text: { body: 'Hi' } })).body).toMatchObject({
    id: expect.stringMatching(/^wamid\./),
    message: { direction: 'replied', channel: 'whatsapp', text: 'Hi' },
  })
  await webhook.waitForMessages(1)
  expect((await ask('')).body).toMatchObject({
    numbers: [{ id: phoneNumberId }, {}],
    wabas: [{}],
    webhooks: { taken: 1 },
  })
  expect((await ask(person, { name: 'Asha', readReceipts: false })).body).toMatchObject({
    name: 'Asha',
    readReceipts: false,
  })
  expect((await ask(`${person}/block`, { phoneNumberId })).body).toMatchObject({ blocked: [phoneNumberId] })
  expect((await ask(`${person}/block`, { phoneNumberId, isBlocked: false })).body).toMatchObject({ blocked: [] })
  expect((await ask(`${person}/preference`, { phoneNumberId, value: 'stop' })).body).toMatchObject({
    stopped: [demoAccount.wabaId],
  })
  expect((await ask(`${person}/window`, { phoneNumberId, isOpen: false })).body).toEqual({ isOpen: false })
  expect((await ask('/settings', { reviewMs: 0 })).body).toMatchObject({ settings: { reviewMs: 0 } })
  expect((await ask('/templates')).body).toMatchObject({ templates: [{ name: 'hello_world' }] })
  expect((await ask('/signups', { name: 'Bharat Books' })).body).toMatchObject({
    code: expect.any(String),
    message: { type: 'WA_EMBEDDED_SIGNUP' },
  })
  expect((await ask(`/numbers/${phoneNumberId}`, { quality: 'RED' })).body).toMatchObject({ qualityRating: 'RED' })
  expect((await ask('/tokens', { token: 'mine' })).body).toEqual({ token: 'mine' })
  expect((await ask('/tokens/revoke', { token: 'mine' })).body).toEqual({ revoked: true })
  expect((await ask('/messages?since=0')).body).toEqual({ messages: [], next: 0 })
  expect((await ask('/reset', {})).body).toEqual({ restarted: true })
})

test.each([
  ['/settings', { speed: 1 }],
  ['/settings', { gapMs: [5, 1] }],
  ['/settings', { reviewMs: -1 }],
  [person, { age: 7 }],
  [`${person}/messages`, { type: 'text', text: { body: 'Hi' } }],
  [`${person}/messages`, { phoneNumberId: '1', type: 'text', text: { body: 'Hi' } }],
  [`${person}/messages`, { phoneNumberId, type: 'poem' }],
  [`${person}/messages`, { phoneNumberId, type: 'text' }],
  [`${person}/tap`, { messageId: 'wamid.none' }],
  [`${person}/react`, { messageId: 'wamid.none', emoji: '👍' }],
  ['/templates/1', { status: 'APPROVED' }],
  ['/numbers/1', {}],
  ['/tokens/revoke', { token: 'nobody' }],
  ['/updates', { field: 'weather', value: {} }],
  ['/webhook', { url: 'http://127.0.0.1:1/' }],
])('%s rejects %j', async (path, body) => {
  expect(await ask(path, body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
})

test('media served to the browser is sandboxed', async () => {
  await ask(`${person}/messages`, {
    phoneNumberId,
    type: 'document',
    document: { bytes: btoa('<script>1</script>'), mime_type: 'text/html' },
  })
  const id = simulator.handset.find('919812345678')?.messages[0]?.content?.media?.id
  const file = await fetch(`http://127.0.0.1:${simulator.httpPort}/api/graph/media/${id}`)
  expect(file.headers.get('content-security-policy')).toContain('sandbox')
  expect((await ask('/media/1')).status).toBe(404)
})
