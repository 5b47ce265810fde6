import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSimulator } from '../index.ts'
import { demoPartner } from './demo-agent.ts'
import { hello, person, startPartner, takeToken } from './testing.ts'

const { agentId } = demoPartner

async function open() {
  const partner = await startPartner({ readShare: 0 })
  onTestFinished(() => partner.close())
  const ask = async (path: string, body?: unknown) => {
    const options =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${partner.simulator.httpPort}/api/rbm${path}`, options)
    return { status: answer.status, body: await answer.json() }
  }
  return { partner, ask }
}

test('everything can be controlled over HTTP too', async () => {
  const { partner, ask } = await open()
  const { url } = partner.webhook
  const phone = `/people/${person}`
  expect((await ask('/webhook', { url })).body).toMatchObject({ url })
  expect((await ask('/service-account')).body).toMatchObject({ client_email: demoPartner.clientEmail })
  expect((await ask('/tokens', {})).body).toEqual({ token: expect.stringMatching(/^ya29/) })
  expect((await ask('/settings', { readShare: 0.5 })).body).toMatchObject({ settings: { readShare: 0.5 } })
  expect((await ask(phone)).body).toMatchObject({
    carrier: 'in-airtel',
    isRcs: true,
    agents: [{ id: agentId }, {}, {}],
  })
  expect((await ask(phone, { readReceipts: true })).body).toMatchObject({ readReceipts: true })
  const { body } = await partner.send({
    contentMessage: { text: 'Hi', suggestions: [{ reply: { text: 'Yes', postbackData: 'y' } }] },
  })
  const messageId = String(body.name).split('/').at(-1)
  expect((await ask(`${phone}/tap`, { agentId, messageId })).body).toMatchObject({
    answer: { message: { text: 'Yes' } },
  })
  expect((await ask(`${phone}/open`, { agentId })).body).toEqual({ read: expect.any(Number) })
  expect((await ask(`${phone}/messages`, { agentId, text: 'Hi' })).body).toMatchObject({
    id: expect.stringMatching(/^Mx/),
  })
  expect((await ask(`${phone}/place`, { agentId, latitude: 1, longitude: 2 })).status).toBe(200)
  expect((await ask(`${phone}/file`, { agentId, bytes: btoa('x'), mimeType: 'image/png' })).status).toBe(200)
  expect((await ask(`${phone}/type`, { agentId })).body).toEqual({ done: true })
  expect((await ask(`${phone}/subscription`, { agentId, isSubscribed: false })).body).toMatchObject({
    message: { text: 'STOP' },
  })
  expect((await ask(`/messages?number=${person}`)).body).toMatchObject({ messages: [{ timesShown: 1 }], next: 1 })
  expect((await ask('')).body).toMatchObject({ webhook: url })
  expect((await ask('/tokens/revoke', {})).body).toEqual({ revoked: true })
  expect((await ask('/reset', {})).body).toEqual({ restarted: true })
})

test.each([
  ['/settings', { speed: 1 }],
  [`/people/${person}`, { age: 7 }],
  [`/people/${person}/messages`, { agentId: 'nobody', text: 'Hi' }],
  [`/people/${person}/messages`, { agentId }],
  [`/people/${person}/tap`, { agentId, messageId: 'none' }],
  [`/people/${person}/invite`, { agentId, isAccepted: true }],
  ['/agents/nobody', {}],
  [`/agents/${agentId}/launch`, { region: 'in-moon', state: 'LAUNCHED' }],
  ['/webhook', { url: 'http://127.0.0.1:1/' }],
])('%s rejects %j', async (path, body) => {
  const { ask } = await open()
  expect(await ask(path, body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
})

test('agents, webhooks and the key survive a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rbm-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const start = () => startSimulator({ rbmFile: join(directory, 'rbm') })
  const first = await start()
  const account = first.rbm.control.serviceAccount()
  await first.rbm.control.setWebhook({ url: 'http://127.0.0.1:9/rcs', handshake: false })
  first.rbm.control.changeLaunch(agentId, { region: 'in-vi', state: 'SUSPENDED' })
  await first.close()

  const second = await start()
  onTestFinished(() => second.close())
  expect(await takeToken({ ...account, token_uri: `${second.rbm.baseUrl}/token` })).toMatch(/^ya29/)
  expect(second.rbm.control.overview()).toMatchObject({
    webhook: 'http://127.0.0.1:9/rcs',
    agents: [{ id: agentId, launches: { 'in-vi': { state: 'SUSPENDED' } } }, {}, {}],
  })
})

test('a reset deletes messages and keeps agents and webhooks', async () => {
  const { partner } = await open()
  await partner.send(hello)
  partner.simulator.reset()
  expect(partner.control.listMessages({ since: 0, limit: 10 }).messages).toEqual([])
  expect(partner.control.overview().webhook).toBe(partner.webhook.url)
  expect((await partner.send(hello)).status).toBe(200)
})
