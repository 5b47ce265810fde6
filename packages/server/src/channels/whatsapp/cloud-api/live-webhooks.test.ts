import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProviderEvent } from '../../provider.ts'
import type { WhatsappContent } from '../message.ts'
import { lineId, listen, picture, simulateMeta, type SimulatedMeta } from '../../../testing/cloud-api.ts'
import { readWebhook } from './webhook.ts'
import { sendAll } from '../../../testing/send-all.ts'

const person = '919812345678'
const verifyToken = 'simulator-verify-token'
const events: ProviderEvent[] = []
const refusals: string[] = []
let meta: SimulatedMeta

beforeEach(async () => {
  events.length = 0
  refusals.length = 0
  meta = await simulateMeta()
  const config = meta.settings()
  const port = await listen(meta.closers, ({ method = '', url = '', headers }, response, rawBody) => {
    const query = Object.fromEntries(new URL(url, 'http://webhook').searchParams)
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const result = readWebhook({ method, action: 'events', url, headers: given, query, rawBody }, config)
    if (result.kind === 'refused') refusals.push(result.message)
    else events.push(...result.events)
    if (result.kind === 'refused') response.writeHead(result.status).end()
    else response.writeHead(result.reply.status, { 'content-type': result.reply.contentType }).end(result.reply.body)
  })
  await meta.open().access.subscribe({ url: `http://127.0.0.1:${port}/hooks/k/events`, verifyToken })
})
afterEach(() => meta.close())

async function waitFor(count: number): Promise<ProviderEvent[]> {
  await expect.poll(() => events.length).toBeGreaterThanOrEqual(count)
  return events
}

const write = (message: Record<string, unknown>) =>
  meta.simulator.graph.control.write(person, { phoneNumberId: lineId, ...message })

test('inbound messages are stored by their type, and files can be downloaded', async () => {
  const types = ['image', 'video', 'audio', 'document', 'sticker', 'unsupported']
  write({ type: 'text', text: { body: 'नमस्ते 👋' } })
  for (const type of types) write({ type })
  const [first, ...rest] = await waitFor(1 + types.length)
  expect(first).toMatchObject({ kind: 'inbound-message', from: person, text: 'नमस्ते 👋', lineId })
  expect(rest.map((event) => 'content' in event && event.content?.type)).toEqual(types)
  expect(refusals).toEqual([])

  const image = rest.find((event) => 'content' in event && event.content?.type === 'image')
  expect(image).toMatchObject({ content: { image: { id: expect.stringMatching(/^\d+$/) } } })
  const { id } = (image as unknown as { content: { image: { id: string } } }).content.image
  expect((await meta.open().media.download(lineId, id)).mimeType).toBe('image/png')
})

test('a person who hides the number gets replies under the business-scoped id', async () => {
  meta.simulator.graph.control.describePerson(person, { userId: 'IN.1234', hidesNumber: true, name: 'Asha' })
  const { id } = write({ type: 'text', text: { body: 'Hi' } })
  expect(await waitFor(1)).toMatchObject([{ from: '', identity: { id: 'IN.1234', name: 'Asha' } }])
  const content: WhatsappContent = { type: 'text', text: { body: 'Hello' } }
  const answer = { reference: 's.1', to: 'IN.1234', parts: 1, expiresAt: new Date(Date.now() + 60_000) }
  const outcomes = await sendAll(meta.connect(), [{ ...answer, content, inReplyTo: id }])
  expect(outcomes).toMatchObject([{ kind: 'accepted' }])
  const reports = (await waitFor(4)).slice(1)
  expect(reports).toMatchObject(['sent', 'delivered', 'read'].map((status) => ({ status, reference: 's.1' })))
})

test('a code is not sent to a person who hides the number', async () => {
  meta.simulator.graph.control.describePerson(person, { userId: 'IN.1234', hidesNumber: true })
  write({ type: 'text', text: { body: 'Hi' } })
  await waitFor(1)
  const buttons = [{ type: 'OTP', otp_type: 'COPY_CODE' }]
  meta.simulator.graph.control.putTemplate({
    name: 'code',
    language: 'en',
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons },
    ],
  })
  const code = [{ type: 'text', text: '123456' }]
  const components = [
    { type: 'body', parameters: code },
    { type: 'button', sub_type: 'url', index: '0', parameters: code },
  ]
  const content: WhatsappContent = {
    type: 'template',
    template: { name: 'code', language: { code: 'en' }, components },
  }
  const message = { reference: 's.2', parts: 1, expiresAt: new Date(Date.now() + 60_000), content }
  const session = meta.connect()
  expect(await sendAll(session, [{ ...message, to: 'IN.1234' }])).toMatchObject([
    { kind: 'rejected', reason: 'auth_template_to_bsuid' },
  ])
  expect(await sendAll(session, [{ ...message, to: '+919812345670' }])).toMatchObject([{ kind: 'accepted' }])
})

test("a template's status arrives with every digit of its id", async () => {
  const components = [{ type: 'BODY', text: 'Your order has been shipped today.' }]
  const named = { name: 'order_update', language: 'en', category: 'UTILITY', components }
  const { id } = meta.simulator.graph.control.putTemplate(named)
  expect(Number.isSafeInteger(Number(id))).toBe(false)
  const change = (row: Record<string, unknown>) => meta.simulator.graph.control.changeTemplate(id, row)
  change({ quality: 'RED' })
  change({ pause: true })
  change({ status: 'APPROVED' })
  change({ category: 'MARKETING' })
  change({ status: 'REJECTED', reason: 'INVALID_FORMAT' })
  const about = { kind: 'template-change', templateId: id, name: 'order_update', language: 'en' }
  expect(await waitFor(5)).toMatchObject([
    { ...about, quality: 'red' },
    { ...about, status: 'PAUSED', reason: 'FIRST_PAUSE' },
    { ...about, status: 'APPROVED' },
    { ...about, category: 'MARKETING' },
    { ...about, status: 'REJECTED', reason: 'INVALID_FORMAT' },
  ])
})

test('marketing opt-outs, and changes of a number', async () => {
  meta.simulator.graph.control.prefer(person, { phoneNumberId: lineId, value: 'stop' })
  expect(await waitFor(1)).toMatchObject([{ kind: 'preference-change', from: person, wantsNone: true }])
  const value = { display_phone_number: '918047181000', event: 'FLAGGED' }
  meta.simulator.graph.control.sendUpdate({ field: 'phone_number_quality_update', value })
  expect((await waitFor(2))[1]).toMatchObject({ kind: 'account-change', detail: 'Number 918047181000: FLAGGED' })
})

test('a forged report is rejected and changes nothing', async () => {
  meta.simulator.setFaults({ reports: { forged: 1 } })
  const hello: WhatsappContent = {
    type: 'template',
    template: { name: 'hello_world', language: { code: 'en_US' }, components: [] },
  }
  const message = { reference: 's.3', to: `+${person}`, parts: 1, expiresAt: new Date(Date.now() + 60_000) }
  await sendAll(meta.connect(), [{ ...message, content: hello }])
  await expect.poll(() => refusals.length).toBeGreaterThan(0)
  await waitFor(3)
  expect(new Set(refusals)).toEqual(new Set(['The signature is invalid']))
  expect(events.filter((event) => 'status' in event && event.status === 'failed')).toEqual([])
})

test('a message with an uploaded picture arrives on the phone', async () => {
  const { id } = await meta.open().media.upload(lineId, picture)
  write({ type: 'text', text: { body: 'Hi' } })
  await waitFor(1)
  const content: WhatsappContent = { type: 'image', image: { id, caption: 'Look' } }
  const message = { reference: 's.4', to: `+${person}`, parts: 1, expiresAt: new Date(Date.now() + 60_000) }
  expect(await sendAll(meta.connect(), [{ ...message, content }])).toMatchObject([{ kind: 'accepted' }])
  expect((await waitFor(4)).slice(1)).toMatchObject(['sent', 'delivered', 'read'].map((status) => ({ status })))
})
