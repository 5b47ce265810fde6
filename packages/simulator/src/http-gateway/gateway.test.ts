import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { request } from 'undici'
import { type Simulator, startSimulator } from '../index.ts'
import { startListener } from '../testing.ts'

let simulator: Simulator
let listener: Awaited<ReturnType<typeof startListener>>

beforeEach(async () => {
  simulator = await startSimulator({ faults: { silenceMs: 100 } })
  listener = await startListener()
})
afterEach(async () => {
  await simulator.close()
  await listener.close()
})

const authorization = `Basic ${btoa('carillon:simulator')}`
const phone = '919812345678'

type Sent = { status: number; body: string; retryAfter: string | string[] | undefined }

async function send(
  path: string,
  options: { headers?: Record<string, string>; json?: unknown; form?: Record<string, string> },
): Promise<Sent> {
  const type = options.form ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = options.form
    ? new URLSearchParams(options.form).toString()
    : options.json === undefined
      ? null
      : JSON.stringify(options.json)
  const headers = { ...options.headers, ...(body === null ? {} : { 'content-type': type }) }
  const answer = await request(`http://127.0.0.1:${simulator.httpPort}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers,
    body,
  })
  return { status: answer.statusCode, body: await answer.body.text(), retryAfter: answer.headers['retry-after'] }
}

const plain = (json: Record<string, unknown>, query = '', headers = {}) =>
  send(`/gateway/send${query}`, {
    headers: { authorization, ...headers },
    json: { from: 'ACMESH', text: 'Hello', ...json },
  })
const twilioPath = '/2010-04-01/Accounts/carillon/Messages.json'
const twilio = (form: Record<string, string>) =>
  send(twilioPath, { headers: { authorization }, form: { To: `+${phone}`, From: 'ACMESH', Body: 'Hello', ...form } })
const received = (number = phone) => simulator.handset.find(number)?.messages ?? []

test('Twilio: accepted, shown, and reported with a signature', async () => {
  const StatusCallback = `${listener.url}/status?lane=1`
  const answer = await twilio({ StatusCallback })
  const { sid } = JSON.parse(answer.body)
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    201,
    expect.objectContaining({ status: 'queued', num_segments: '1', sid: expect.stringMatching(/^SM[0-9a-f]{32}$/) }),
  ])
  expect(received()).toMatchObject([{ text: 'Hello', peer: 'ACMESH', via: 'twilio' }])
  const [call] = await listener.waitFor(1)
  const fields = Object.fromEntries(new URLSearchParams(call?.body))
  expect(fields).toMatchObject({ MessageSid: sid, MessageStatus: 'delivered', To: `+${phone}` })
  const words = Object.keys(fields)
    .toSorted()
    .map((name) => name + fields[name])
  expect(call?.headers['x-twilio-signature']).toBe(
    createHmac('sha1', 'simulator')
      .update(StatusCallback + words.join(''))
      .digest('base64'),
  )
})

test.each([
  [
    'a foreign account',
    { headers: { authorization: `Basic ${btoa('carillon:guess')}` }, form: { To: '+91', From: 'A', Body: 'x' } },
    401,
    20003,
  ],
  ['no number', { headers: { authorization }, form: { From: 'A', Body: 'x' } }, 400, 21604],
  ['no text', { headers: { authorization }, form: { To: '+919812345678', From: 'A' } }, 400, 21602],
  [
    'a text beyond 1600',
    { headers: { authorization }, form: { To: '+919812345678', From: 'A', Body: 'x'.repeat(1601) } },
    400,
    21617,
  ],
  [
    'a number that cannot be',
    { headers: { authorization }, form: { To: '+919812340011', From: 'A', Body: 'x' } },
    400,
    21211,
  ],
])('Twilio rejects %s', async (_, options, status, code) => {
  const answer = await send(twilioPath, options)
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code])
})

test.each([
  ['v2', (body: string) => JSON.parse(new URLSearchParams(body).get('data') ?? '')[0].report[0]],
  ['v3', (body: string) => JSON.parse(body)],
] as const)('MSG91: the flow with its variables, reported by the %s webhook', async (version, read) => {
  simulator.putAccount({
    systemId: 'carillon',
    statusWebhook: { url: listener.url, version },
    flowTemplates: { t1: 'Dear ##NAME##, order ##NO## is ready' },
  })
  const recipients = [
    { mobiles: phone, NAME: 'Asha', NO: 7 },
    { mobiles: '919812340002', NAME: 'Ravi', NO: 8 },
  ]
  const answer = await send('/api/v5/flow', {
    headers: { authkey: 'simulator' },
    json: { template_id: 't1', recipients },
  })
  expect(JSON.parse(answer.body)).toEqual({ type: 'success', message: expect.any(String) })
  expect(received()).toMatchObject([{ text: 'Dear Asha, order 7 is ready', templateId: 't1' }])
  const calls = await listener.waitFor(2)
  const reports = calls.map((call) => read(call.body)).map(({ number, status }) => `${number} ${status}`)
  expect(reports.toSorted()).toEqual(['919812340002 2', `${phone} 1`])
})

test('MSG91: version 4 of the webhook, the old sendsms, and a wrong key', async () => {
  simulator.putAccount({ systemId: 'carillon', statusWebhook: { url: listener.url, version: 'v4' } })
  const json = { sender: 'ACMESH', route: '4', DLT_TE_ID: '1107', sms: [{ message: 'Hello', to: [phone] }] }
  await send('/api/v2/sendsms', { headers: { authkey: 'simulator' }, json })
  const [call] = await listener.waitFor(1)
  expect(JSON.parse(call?.body ?? '')).toMatchObject([{ event: 'delivered', data: [{ description: 'DELIVERED' }] }])
  expect(received()).toMatchObject([{ text: 'Hello', peer: 'ACMESH', templateId: '1107' }])
  expect((await send('/api/v2/sendsms', { headers: { authkey: 'guess' }, json })).status).toBe(401)
})

test('Kannel: values are placed where the address has placeholders, and the mask filters', async () => {
  const dlr = `${listener.url}/dlr?state=%d&answer=%A&to=%P&keep=%20`
  const query = (to: string, mask: string) =>
    `/cgi-bin/sendsms?${new URLSearchParams({ username: 'carillon', password: 'simulator', from: 'ACMESH', to, text: 'Hello', 'dlr-mask': mask, 'dlr-url': dlr })}`
  expect(await send(query('919812340006', '19'), {})).toMatchObject({ status: 202, body: '0: Accepted for delivery' })
  const [call] = await listener.waitFor(1)
  expect(Object.fromEntries(call?.query ?? [])).toEqual({
    state: '1',
    answer: 'stat:DELIVRD err:000',
    to: '919812340006',
    keep: ' ',
  })
  expect((await send(query('919812345678', '0').replace('password=simulator', 'password=x'), {})).status).toBe(403)
})

test('Jasmin: repeated until it is acknowledged with ACK/Jasmin', async () => {
  await listener.close()
  listener = await startListener((_call, count) => ({ status: 200, body: count < 3 ? 'ok' : 'ACK/Jasmin' }))
  const form = {
    username: 'carillon',
    password: 'simulator',
    to: phone,
    from: 'ACMESH',
    content: 'Hello',
    dlr: 'yes',
    'dlr-level': '2',
    'dlr-url': listener.url,
  }
  const answer = await send('/send', { form })
  expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^Success "[0-9a-f-]{36}"$/) })
  const calls = await listener.waitFor(3)
  expect(Object.fromEntries(new URLSearchParams(calls[2]?.body))).toMatchObject({
    id: answer.body.slice(9, -1),
    message_status: 'DELIVRD',
    level: '2',
    dlvrd: '001',
  })
})

test.each([
  ['content', { content: 'Grüße €' }, 'Grüße €'],
  ['hex-content in UCS-2', { coding: '8', 'hex-content': '0928092e0938094d09240947' }, 'नमस्ते'],
])('Jasmin: %s', async (_, fields, text) => {
  await send('/send', { form: { username: 'carillon', password: 'simulator', to: phone, from: 'ACMESH', ...fields } })
  expect(received()).toMatchObject([{ text }])
})

test('plain: reported with the reference, repeated while the listener fails', async () => {
  await listener.close()
  listener = await startListener((_call, count) => ({ status: count < 3 ? 500 : 204 }))
  const { id } = JSON.parse((await plain({ to: `+${phone}`, ref: 'c1-7', dlrUrl: listener.url })).body)
  const calls = await listener.waitFor(3)
  expect(calls.map((call) => JSON.parse(call.body))).toEqual(
    calls.map(() => expect.objectContaining({ id, ref: 'c1-7', to: phone, status: 'DELIVRD' })),
  )
  expect(received()).toMatchObject([{ reference: 'c1-7' }])
})

test('plain: repeats with a key are ignored only where the gateway supports it', async () => {
  const ids = []
  for (const query of ['?keyed=1', '?keyed=1', '', ''])
    ids.push(JSON.parse((await plain({ to: phone, ref: 'r1' }, query, { 'idempotency-key': 'k1' })).body).id)
  expect(new Set(ids).size).toBe(3)
  expect(ids[0]).toBe(ids[1])
  expect(simulator.handset.totals()).toEqual({ received: 3, numbers: 1, duplicates: 2 })
  expect(simulator.handset.listDuplicates(10)).toEqual([{ number: phone, key: 'r1', times: 3 }])
})

test.each([
  ['throttled', 429, 0],
  ['queue-full', 503, 0],
  ['system-error', 500, 0],
  ['unauthorized', 401, 0],
  ['error-after', 500, 1],
  ['garbage', 200, 1],
  ['answer-then-drop', 200, 1],
  ['reset', 'fails', 0],
  ['drop', 'fails', 1],
  ['silence', 'fails', 1],
] as const)('a response that is %s', async (fault, status, count) => {
  simulator.setFaults({ answers: { [fault]: 1 } })
  const answer = await plain({ to: phone }).catch(() => ({ status: 'fails', body: '{', retryAfter: undefined }))
  expect([answer.status, received().length]).toEqual([status, count])
  expect(answer.retryAfter).toBe(fault === 'throttled' ? '1' : undefined)
  if (fault === 'garbage') expect(() => JSON.parse(answer.body)).toThrow(SyntaxError)
})

test('reports that are forged, about unknown messages, contradictory', async () => {
  simulator.setFaults({ reports: { forged: 1, stranger: 1, contradictory: 1 } })
  const StatusCallback = `${listener.url}/`
  const { sid } = JSON.parse((await twilio({ StatusCallback })).body)
  const calls = (await listener.waitFor(4)).map((call) => new URLSearchParams(call.body))
  const reported = calls.map(
    (fields) => `${fields.get('MessageSid') === sid ? 'ours' : 'strange'} ${fields.get('MessageStatus')}`,
  )
  expect(reported.toSorted()).toEqual(['ours delivered', 'ours failed', 'ours undelivered', 'strange delivered'])
})

test.each([
  [{}, 'missing-ids'],
  [{ entityId: '1101', templateId: '1107' }, 'DELIVRD 000'],
  [{ entityId: '1102', templateId: '1107' }, 'REJECTD 600'],
  [{ entityId: '1101', templateId: '1108' }, 'REJECTD 630'],
  [{ entityId: '1101', templateId: '1107', from: 'OTHERS' }, 'REJECTD 634'],
  [{ entityId: '1101', templateId: '1107', text: 'Order 7 was lost' }, 'REJECTD 633'],
])('the registry judges %j as %s', async (fields, verdict) => {
  const template = { entityId: '1101', templateId: '1107', header: 'ACMESH', text: 'Order {#var#} is ready (today)' }
  simulator.putAccount({ systemId: 'carillon', dlt: { missing: 'refuse', templates: [template] } })
  const answer = await plain({ to: phone, text: 'Order 7 is ready (today)', dlrUrl: listener.url, ...fields })
  if (answer.status === 400) return expect(JSON.parse(answer.body).error).toBe(verdict)
  const [call] = await listener.waitFor(1)
  const { status, error } = JSON.parse(call?.body ?? '')
  expect(`${status} ${error}`).toBe(verdict)
})

test('a report can come before the response', async () => {
  const order: string[] = []
  await listener.close()
  listener = await startListener(() => (order.push('report'), { status: 204 }))
  await plain({ to: '919812340012', dlrUrl: listener.url }).then(() => order.push('answer'))
  expect(order).toEqual(['report', 'answer'])
})

test('a person replies to the address of the account, in the format of the interface', async () => {
  simulator.putAccount({ systemId: 'carillon', inboundUrl: `${listener.url}/inbound` })
  await twilio({})
  simulator.reply({ number: phone, to: 'ACMESH', text: 'STOP' })
  await plain({ to: '919812345679' })
  simulator.reply({ number: '919812345679', to: 'ACMESH', text: 'Hi' })
  const calls = await listener.waitFor(2)
  const form = calls.find((call) => call.headers['x-twilio-signature'])
  expect(Object.fromEntries(new URLSearchParams(form?.body))).toMatchObject({
    From: `+${phone}`,
    To: 'ACMESH',
    Body: 'STOP',
  })
  expect(JSON.parse(calls.find((call) => call !== form)?.body ?? '')).toMatchObject({
    from: '919812345679',
    to: 'ACMESH',
    text: 'Hi',
  })
})
