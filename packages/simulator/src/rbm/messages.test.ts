import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { card, hello, type Partner, person, startPartner } from './testing.ts'

let partner: Partner
beforeEach(async () => {
  partner = await startPartner()
})
afterEach(() => partner.close())

const richCard = (content: object = card) => ({
  contentMessage: { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: content } } },
})
const revoke = (number: string, id: string) =>
  partner.call(`DELETE asia/v1/phones/+${number}/agentMessages/${id}?agentId=${partner.agentId}`)
const shown = (number: string) => partner.control.listMessages({ since: 0, limit: 100, number }).messages
const kinds = () => partner.webhook.events().map(({ eventType }) => eventType)

test('a message is accepted, shown, delivered and read', async () => {
  const id = randomUUID()
  expect(await partner.send(richCard(), { id })).toMatchObject({
    status: 200,
    body: { name: `phones/+${person}/agentMessages/${id}`, sendTime: expect.stringMatching(/^\d{4}-.*Z$/) },
  })
  const [read] = await partner.webhook.waitForEvents('READ')
  expect(read).toMatchObject({ senderPhoneNumber: `+${person}`, messageId: id, agentId: partner.agentId })
  expect(kinds()).toEqual(['DELIVERED', 'READ'])
  expect(partner.received()).toMatchObject([
    { channel: 'rcs', via: 'rbm', peer: partner.agentId, id, text: 'Diwali sale\nFrom Friday' },
  ])
})

test('a repeated messageId gets the same response and is not delivered again', async () => {
  const id = randomUUID()
  const first = await partner.send(hello, { id })
  expect(await partner.send({ contentMessage: { text: 'Other words' } }, { id })).toEqual(first)
  expect(shown(person)).toMatchObject([{ id, timesShown: 1, text: 'Hello' }])
  expect(partner.received()).toHaveLength(1)
})

test('a held message can be revoked once, and is never shown', async () => {
  const to = '919812340001'
  const id = randomUUID()
  await partner.send(hello, { to, id })
  expect(await revoke(to, id)).toEqual({ status: 200, body: {} })
  partner.control.people.change(to, { isOnline: true })
  expect(shown(to)).toMatchObject([{ status: 'revoked', timesShown: 0 }])
  expect(partner.received(to)).toEqual([])
})

test('a delivered or unknown message cannot be revoked; the other of Google’s pages is a setting', async () => {
  const id = randomUUID()
  await partner.send(hello, { id })
  expect(await revoke(person, id)).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
  expect((await revoke(person, randomUUID())).status).toBe(404)
  partner.control.set({ revokeAnswer: 'ok' })
  expect((await revoke(person, id)).status).toBe(200)
})

test.each([
  ['0006', 404],
  ['0009', 200],
])('the revocation of …%s is answered with %i, and the message is delivered', async (digits, status) => {
  const to = `91981234${digits}`
  const id = randomUUID()
  await partner.send(hello, { to, id })
  expect(shown(to)).toMatchObject([{ status: 'held' }])
  expect((await revoke(to, id)).status).toBe(status)
  expect(await partner.webhook.waitForEvents('DELIVERED')).toMatchObject([{ messageId: id }])
  expect(shown(to)).toMatchObject([{ status: 'shown', timesShown: 1 }])
})

test('a message expires on a phone that is off, and is reported with another name of the number', async () => {
  const to = '919812340001'
  const id = randomUUID()
  await partner.send({ ...hello, ttl: '0.05s' }, { to, id })
  const [expired] = await partner.webhook.waitForEvents('TTL_EXPIRATION_REVOKED')
  expect(expired).toMatchObject({ phoneNumber: `+${to}`, messageId: id, eventId: expect.any(String) })
  expect(expired).not.toHaveProperty('senderPhoneNumber')
  expect(shown(to)).toMatchObject([{ status: 'expired', timesShown: 0 }])
})

test('an expiry that fails is reported, and the message is delivered', async () => {
  await partner.send({ ...hello, expireTime: new Date(Date.now() + 60).toISOString() }, { to: '919812340006' })
  await partner.webhook.waitForEvents('DELIVERED')
  expect(kinds().slice(0, 2)).toEqual(['TTL_EXPIRATION_REVOKE_FAILED', 'DELIVERED'])
})

test('messages wait for a phone in their order', async () => {
  partner.control.people.change(person, { isOnline: false })
  for (const text of ['One', 'Two']) await partner.send({ contentMessage: { text } })
  expect(partner.received()).toEqual([])
  partner.control.people.change(person, { isOnline: true })
  expect(partner.received().map(({ text }) => text)).toEqual(['One', 'Two'])
  await partner.webhook.waitForEvents('DELIVERED', 2)
})

test.each([
  ['0404', [404]],
  ['0429', [429, 429, 200]],
  ['0503', [503, 200]],
])('…%s answers %j', async (digits, statuses) => {
  const id = randomUUID()
  const to = `91981234${digits}`
  for (const status of statuses) expect((await partner.send(hello, { to, id })).status).toBe(status)
  expect(partner.received(to)).toHaveLength(statuses.includes(200) ? 1 : 0)
})

test('…0002 does not report that it reads', async () => {
  await partner.send(hello, { to: '919812340002' })
  await partner.send(hello)
  await partner.webhook.waitForEvents('READ')
  expect(partner.webhook.events('READ')).toMatchObject([{ senderPhoneNumber: `+${person}` }])
  expect(partner.webhook.events('DELIVERED')).toHaveLength(2)
})

test('…0003 reports delivery and expiry, …0004 taps the first suggestion', async () => {
  await partner.send(hello, { to: '919812340003' })
  await partner.webhook.waitForEvents('TTL_EXPIRATION_REVOKED')
  await partner.send(richCard(), { to: '919812340004' })
  expect(await partner.webhook.waitForMessages()).toMatchObject([
    { senderPhoneNumber: '+919812340004', suggestionResponse: { postbackData: 'shop', text: 'Shop', type: 'REPLY' } },
  ])
})

test('…0005 unsubscribes with an event and a text; later promotions are marked', async () => {
  const to = '919812340005'
  await partner.send(hello, { to })
  await partner.webhook.waitForEvents('UNSUBSCRIBE')
  expect(await partner.webhook.waitForMessages()).toMatchObject([{ text: 'STOP' }])
  await partner.send({ ...hello, messageTrafficType: 'PROMOTION' }, { to })
  expect(shown(to)).toMatchObject([{ isUnwanted: false }, { isUnwanted: true }])
})

test('…0008 takes text only', async () => {
  const to = '919812340008'
  expect(await partner.send(richCard(), { to })).toMatchObject({
    status: 400,
    body: { error: { message: 'The device does not support RICHCARD_STANDALONE' } },
  })
  expect((await partner.send(hello, { to })).status).toBe(200)
})

test('with MAGIC=off every number is the same', async () => {
  partner.simulator.setFaults({ magicNumbers: false })
  for (const digits of ['0404', '0429', '0001'])
    expect((await partner.send(hello, { to: `91981234${digits}` })).status).toBe(200)
  await partner.webhook.waitForEvents('DELIVERED', 3)
})

test('an agent reaches the carriers it is launched with, and testers', async () => {
  const { newAgentId } = partner.simulator.rbm
  expect((await partner.send(hello, { to: '919412345678' })).status).toBe(404)
  expect(await partner.send(hello, { from: newAgentId })).toMatchObject({
    status: 403,
    body: { error: { status: 'PERMISSION_DENIED' } },
  })
  expect((await partner.send(hello, { from: 'nobody@rbm.goog' })).status).toBe(403)
  partner.control.changeLaunch(partner.agentId, { region: 'in-airtel', state: 'SUSPENDED' })
  expect((await partner.send(hello)).status).toBe(404)
})

test('quotas of messages, and limits of promotions in India', async () => {
  partner.control.set({ messagesPerSecond: 1 })
  expect((await partner.send(hello)).status).toBe(200)
  expect(await partner.send(hello)).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } })
  partner.control.set({ messagesPerSecond: 0, promotionsPerUser: 1 })
  const promotion = { ...hello, messageTrafficType: 'PROMOTION' }
  expect((await partner.send(promotion)).status).toBe(200)
  expect((await partner.send(promotion)).status).toBe(403)
  partner.control.people.write({ number: person, agentId: partner.agentId }, 'Hi')
  expect((await partner.send(promotion)).status).toBe(200)
  partner.control.set({ promotionHours: [24, 24] })
  expect((await partner.send(promotion)).status).toBe(403)
})

test('a response that is lost is repeated by the retry with the same messageId', async () => {
  const id = randomUUID()
  partner.simulator.setFaults({ answerBySuffix: { '5678': 'drop' } })
  await expect(partner.send(hello, { id })).rejects.toThrow()
  expect((await partner.send(hello, { id })).status).toBe(200)
  expect(shown(person)).toMatchObject([{ timesShown: 1 }])
})

test('capabilities of a phone', async () => {
  const ask = (number: string, requestId: string = randomUUID()) =>
    partner.call(`GET asia/v1/phones/+${number}/capabilities?requestId=${requestId}&agentId=${partner.agentId}`)
  expect((await ask(person)).body.features).toContain('RICHCARD_CAROUSEL')
  expect((await ask('919812340008')).body.features).not.toContain('RICHCARD_CAROUSEL')
  expect((await ask('919812340404')).status).toBe(404)
  expect((await ask(person, 'mine')).status).toBe(400)
})

test('typing is shown until the next message, and messages of the person can be marked read', async () => {
  const event = (row: object) =>
    partner.call(`POST asia/v1/phones/+${person}/agentEvents?eventId=${randomUUID()}&agentId=${partner.agentId}`, row)
  const isTyping = () => partner.control.people.show(person).agents[0]?.isTyping
  expect(await event({ eventType: 'IS_TYPING' })).toMatchObject({ status: 200, body: { eventType: 'IS_TYPING' } })
  expect(isTyping()).toBe(true)
  await partner.send(hello)
  expect(isTyping()).toBe(false)
  const { id } = partner.control.people.write({ number: person, agentId: partner.agentId }, 'Hi')
  expect((await event({ eventType: 'READ', messageId: id })).status).toBe(200)
  expect((await event({ eventType: 'READ', messageId: 'Mx1' })).status).toBe(404)
  expect((await event({ eventType: 'DELIVERED' })).status).toBe(400)
})

test('an uploaded file is sent by its name', async () => {
  const { token } = partner.control.issueToken()
  const upload = await fetch(`${partner.baseUrl}/asia/upload/v1/files?agentId=${partner.agentId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    body: 'picture',
  })
  const { name } = await upload.json()
  expect((await partner.send({ contentMessage: { uploadedRbmFile: { fileName: name } } })).status).toBe(200)
  const [message] = partner.received()
  const file = await fetch(`${partner.baseUrl}/files/${message?.rcs?.media?.fileId}`)
  expect(await file.text()).toBe('picture')
  expect(file.headers.get('content-security-policy')).toContain('sandbox')
  const made = await partner.call(`POST asia/v1/files?agentId=${partner.agentId}`, {
    fileUrl: 'https://x.example/a.png',
  })
  expect(made.body.name).toMatch(/^files\//)
})
