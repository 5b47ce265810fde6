import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { demoPartner } from './demo-agent.ts'
import { hello, type Partner, person, startPartner, startWebhook, type WebhookOptions } from './testing.ts'

let partner: Partner
beforeEach(async () => {
  partner = await startPartner({ webhookRetryMs: 1, readShare: 0 })
})
afterEach(() => partner.close())

async function listen(options: WebhookOptions = {}) {
  const webhook = await startWebhook(options)
  onTestFinished(() => webhook.close())
  return webhook
}

test('the webhook is validated with the client token', () => {
  expect(partner.webhook.validations).toEqual([
    { clientToken: demoPartner.clientToken, secret: expect.stringMatching(/^.{16,}$/) },
  ])
})

test.each([
  ['the secret', (secret: string) => secret],
  ['a labelled secret', (secret: string) => `secret: ${secret}`],
  ['JSON', (secret: string) => JSON.stringify({ secret })],
])('%s passes the validation', async (_name, validation) => {
  const { url } = await listen({ validation })
  expect(await partner.control.setWebhook({ url })).toMatchObject({ url })
})

test('another response and an unreachable URL fail the validation', async () => {
  const { url } = await listen({ validation: () => 'ok' })
  await expect(partner.control.setWebhook({ url })).rejects.toThrow('does not return the secret')
  await expect(partner.control.setWebhook({ url: 'http://127.0.0.1:1/' })).rejects.toThrow('could not be reached')
})

test('pushes are signed over the decoded data and name their kind', async () => {
  await partner.send(hello)
  const [push] = await partner.webhook.waitForPushes(1)
  expect(push).toMatchObject({
    isSigned: true,
    attributes: { business_id: partner.agentId, type: 'event', event_type: 'DELIVERED', product: 'RBM' },
    headers: { 'x-goog-webhook-type': 'event' },
  })
})

test('a push is repeated until the response is 200', async () => {
  const webhook = await listen({ answer: (count) => [500, 202, 302][count - 1] ?? 200 })
  await partner.control.setWebhook({ url: webhook.url })
  await partner.send(hello)
  const pushes = await webhook.waitForPushes(4)
  expect(new Set(pushes.map(({ envelopeId }) => envelopeId)).size).toBe(1)
  await expect.poll(() => partner.control.overview().webhooks).toMatchObject({ waiting: 0, taken: 1, failedPosts: 3 })
})

test('the webhook of an agent precedes that of the partner', async () => {
  const webhook = await listen()
  await partner.call(`POST management/v1/brands/-/agents/${partner.agentId}/integrations`, {
    agentWebhookIntegration: { webhookUri: webhook.url, verificationToken: 'agent-token' },
  })
  expect(webhook.validations).toMatchObject([{ clientToken: 'agent-token' }])
  await partner.send(hello)
  const [push] = await webhook.waitForPushes(1)
  expect(push?.isSigned).toBe(false)
  expect(partner.webhook.pushes).toEqual([])
})

test('reports are lost, repeated, contradicted and forged as the fault plan says', async () => {
  partner.simulator.setFaults({ reports: { duplicate: 1, contradictory: 1, forged: 1, stranger: 1 } })
  await partner.send(hello)
  const pushes = await partner.webhook.waitForPushes(5)
  const events = pushes.map(({ data, isSigned }) => `${String(data.eventType)} ${isSigned}`).toSorted()
  expect(events).toEqual([
    ...Array.from({ length: 3 }, () => 'DELIVERED true'),
    'TTL_EXPIRATION_REVOKED false',
    'TTL_EXPIRATION_REVOKED true',
  ])
  partner.simulator.setFaults({ reports: { lost: 1 } })
  await partner.send(hello)
  expect(partner.webhook.pushes).toHaveLength(5)
})

test('an undelivered message is never shown', async () => {
  partner.simulator.setFaults({ outcomes: { undelivered: 1 } })
  await partner.send({ ...hello, ttl: '0.02s' })
  await partner.webhook.waitForEvents('TTL_EXPIRATION_REVOKED')
  expect(partner.received()).toEqual([])
})

test('everything a person does reaches the webhook', async () => {
  const { people } = partner.control
  const who = { number: person, agentId: partner.agentId }
  people.type(who)
  people.write(who, 'Hi')
  people.writePlace(who, { latitude: 12.9, longitude: 77.5 })
  people.writeFile(who, { bytes: Buffer.from('x'), mimeType: 'image/png', fileName: 'a.png' })
  people.write(who, 'stop')
  people.write(who, 'START')
  const messages = await partner.webhook.waitForMessages(5)
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ senderPhoneNumber: `+${person}`, text: 'Hi', agentId: partner.agentId }),
      expect.objectContaining({ location: { latitude: 12.9, longitude: 77.5 } }),
      expect.objectContaining({
        userFile: {
          payload: {
            mimeType: 'image/png',
            fileSizeBytes: 1,
            fileName: 'a.png',
            fileUri: expect.stringMatching(/^http/),
          },
          thumbnail: expect.anything(),
        },
      }),
      expect.objectContaining({ text: 'STOP' }),
      expect.objectContaining({ text: 'START' }),
    ]),
  )
  await partner.webhook.waitForEvents('SUBSCRIBE')
  expect(
    partner.webhook
      .events()
      .map(({ eventType }) => String(eventType))
      .toSorted(),
  ).toEqual(['IS_TYPING', 'SUBSCRIBE', 'UNSUBSCRIBE'])
  expect(partner.webhook.events('IS_TYPING')[0]).not.toHaveProperty('messageId')
})

test('callbacks on this machine move with the server', () => {
  partner.control.moveCallbacks('http://127.0.0.1:4321')
  expect(partner.control.overview().webhook).toBe('http://127.0.0.1:4321/rcs')
})
