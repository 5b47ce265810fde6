import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHandset } from './handset.ts'
import { type Simulator, startSimulator } from './index.ts'
import { bindClient } from './testing.ts'

let simulator: Simulator
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'))
  simulator = await startSimulator({ handsetFile: join(folder, 'handset.jsonl') })
})
afterEach(async () => {
  await simulator.close()
  await rm(folder, { recursive: true })
})

async function ask(path: string, body?: unknown) {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${simulator.httpPort}${path}`, options)
  return { status: answer.status, body: await answer.json() }
}

async function send(to: string, text: string) {
  const headers = { authorization: `Basic ${btoa('carillon:simulator')}`, 'content-type': 'application/json' }
  await fetch(`http://127.0.0.1:${simulator.httpPort}/gateway/send`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ to, from: 'ACMESH', text }),
  })
}

test('phones ordered by their last message, searched, paged, marked as read', async () => {
  await send('919812345671', 'First')
  await send('919812345672', 'Second')
  await send('919812345671', 'Third')
  expect((await ask('/api/numbers')).body).toMatchObject({
    total: 2,
    totalPages: 1,
    numbers: [
      { number: '919812345671', unread: 2, last: { text: 'Third' } },
      { number: '919812345672', unread: 1 },
    ],
  })
  expect((await ask('/api/numbers?query=second')).body.numbers).toMatchObject([{ number: '919812345672' }])
  expect((await ask('/api/numbers?query=%2B919812345671')).body.total).toBe(1)
  expect(
    (await ask('/api/numbers/919812345671/messages?read=1')).body.messages.map(({ text }: { text: string }) => text),
  ).toEqual(['First', 'Third'])
  expect((await ask('/api/numbers')).body.numbers[0].unread).toBe(0)
  expect((await ask('/api/numbers/919899999999/messages')).status).toBe(404)
})

test('received messages page by page, and their log on disk', async () => {
  for (const text of ['one', 'two', 'three']) await send('919812345671', text)
  const first = (await ask('/api/received?limit=2')).body
  expect(first.messages.map(({ text }: { text: string }) => text)).toEqual(['one', 'two'])
  expect((await ask(`/api/received?since=${first.next}`)).body.messages).toMatchObject([{ text: 'three' }])
  await expect
    .poll(async () =>
      (await readFile(join(folder, 'handset.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).text),
    )
    .toEqual(['one', 'two', 'three'])
})

test('statistics for tests: messages started after an instant, and duplicates', async () => {
  await send('919812345671', 'Same')
  await send('919812345671', 'Same')
  const pause = Date.now() + 1
  await expect.poll(() => Date.now()).toBeGreaterThan(pause)
  await send('919812345672', 'Late')
  expect((await ask(`/api/stats?submitsStartedAfter=${pause}`)).body).toMatchObject({
    submits: 3,
    accepted: 3,
    received: 3,
    numbers: 2,
    duplicates: 1,
    submitsStartedAfter: 1,
  })
  expect((await ask('/api/duplicates')).body.duplicates).toMatchObject([{ number: '919812345671', times: 2 }])
  expect((await ask('/api/reset', {})).status).toBe(200)
  expect((await ask('/api/stats')).body).toMatchObject({ submits: 0, received: 0, duplicates: 0 })
})

test('a reply from the page reaches the bind', async () => {
  const client = await bindClient(simulator.smscPort)
  expect((await ask('/api/numbers/919812345671/reply', { to: 'ACMESH', text: 'START' })).body).toMatchObject({
    isWaiting: false,
    message: { direction: 'replied', text: 'START' },
  })
  expect(await client.nextDelivery()).toMatchObject({ source_addr: '919812345671', destination_addr: 'ACMESH' })
  await client.close()
})

test.each([
  ['/api/numbers/919812345671/reply', { text: 'Hi' }],
  ['/api/numbers/919812345671/reply', { to: 'ACMESH', text: '' }],
  ['/api/numbers/none/reply', { to: 'ACMESH', text: 'Hi' }],
  ['/api/faults', { scenario: 'apocalypse' }],
  ['/api/faults', { answer: 1 }],
  ['/api/accounts', {}],
])('%s rejects %j', async (path, body) => {
  expect(await ask(path, body)).toMatchObject({ status: 400, body: { error: expect.any(String) } })
})

test('plans and accounts are set over HTTP', async () => {
  expect((await ask('/api/faults', { scenario: 'lossy', seed: 9 })).body.plan).toMatchObject({
    seed: 9,
    reports: { lost: 0.1 },
  })
  expect((await ask('/api/faults', { reports: {} })).body.plan).toMatchObject({ seed: 9, reports: {} })
  expect(
    (await ask('/api/accounts', { systemId: 'second', password: 'other', bindLimit: 1 })).body.account,
  ).toMatchObject({ systemId: 'second', bindLimit: 1 })
  const client = await bindClient(simulator.smscPort, { system_id: 'second', password: 'other' })
  await client.close()
})

test('the page is served without external files, and receives a message event', async () => {
  const page = await fetch(`http://127.0.0.1:${simulator.httpPort}/`)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(await page.text()).toContain('<script src="/handset.js" type="module">')
  const parts = [
    'handset.css',
    'whatsapp.css',
    'handset.js',
    'dom.js',
    'sms.js',
    'whatsapp.js',
    'whatsapp-bubble.js',
    'wallpaper.svg',
  ]
  for (const part of parts)
    expect([part, (await fetch(`http://127.0.0.1:${simulator.httpPort}/${part}`)).status]).toEqual([part, 200])
  const news = await fetch(`http://127.0.0.1:${simulator.httpPort}/events`)
  const reader = news.body?.pipeThrough(new TextDecoderStream()).getReader()
  await reader?.read()
  await send('919812345671', 'Hello')
  expect((await reader?.read())?.value).toContain('"numbers":["919812345671"]')
  await reader?.cancel()
})

test('texts are kept for the last messages, counts for all', () => {
  const handset = createHandset({ kept: 10 })
  for (let index = 0; index < 100; index += 1)
    handset.receive({
      number: String(index % 4),
      peer: 'A',
      text: String(index),
      parts: 1,
      encoding: 'gsm7',
      account: 'a',
      via: 'smpp',
      entityId: undefined,
      templateId: undefined,
      reference: undefined,
    })
  expect(handset.totals()).toEqual({ received: 100, numbers: 4, duplicates: 0 })
  expect(handset.count('3')).toBe(25)
  expect(handset.listReceived({ since: 0, limit: 100 }).length).toBeLessThanOrEqual(15)
  expect(handset.find('3')?.messages.at(-1)?.text).toBe('99')
})
