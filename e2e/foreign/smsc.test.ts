import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  buildMessage,
  openTestSession,
  until,
  type TestSession,
} from '../../packages/server/src/channels/sms/smpp/test-session.ts'
import { sendAll } from '../../packages/server/src/testing/send-all.ts'
import { startForeignSmsc, type ForeignSmsc, type ForeignSmscOptions } from './smsc.ts'

let session: TestSession
const running: ForeignSmsc[] = []

beforeEach(() => {
  session = openTestSession()
})

afterEach(async () => {
  await session.close()
  await Promise.all(running.splice(0).map((smsc) => smsc.close()))
})

async function start(options: ForeignSmscOptions): Promise<ForeignSmsc> {
  const smsc = await startForeignSmsc(options)
  running.push(smsc)
  return smsc
}

test('the SMPP session works with an SMSC written from the standard', async () => {
  const smsc = await start({
    firstId: 9,
    answerIds: { base: 16, width: 4, upperCase: true },
    receiptIds: { base: 10 },
    receipts: { text: true, idTlv: true, stateTlv: true },
    fate: ({ index }) => (index === 1 ? 'UNDELIV' : 'DELIVRD'),
  })
  const bound = await session.bound({ port: smsc.port })
  const outcomes = await sendAll(bound, [buildMessage('919800000001', 'One'), buildMessage('919800000002', 'नमस्ते')])
  expect(outcomes).toMatchObject([
    { kind: 'accepted', providerMessageIds: ['9'] },
    { kind: 'accepted', providerMessageIds: ['a'] },
  ])
  expect(smsc.handset('+919800000001')).toMatchObject([{ text: 'One', from: 'ACMESH' }])
  expect(smsc.handset('+919800000002')).toMatchObject([{ text: 'नमस्ते' }])
  await until(() => smsc.receiptsOpen() === 0 && session.events.length === 2)
  expect(session.events).toMatchObject([{ status: 'delivered' }, { status: 'failed' }])
})

test('throttles above its rate, responds late, stops responding, and counts from 1 after a restart', async () => {
  const smsc = await start({ ratePerSecond: 1, burst: 2, answerDelayMs: (n) => (n === 0 ? 30 : 0) })
  const bound = await session.bound({ port: smsc.port })
  const outcomes = await sendAll(
    bound,
    ['1', '2', '3'].map((last) => buildMessage(`91980000000${last}`)),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'retry'])
  expect(smsc.counts).toMatchObject({ submits: 3, throttled: 1 })
  smsc.options.burst = 10
  smsc.options.ratePerSecond = 1e6
  smsc.restart({ firstId: 1 })
  await until(() => smsc.counts.binds === 2 && bound.state().ready)
  expect(await sendAll(bound, [buildMessage('919800000004')])).toMatchObject([{ providerMessageIds: ['1'] }])
  await until(() => smsc.receiptsOpen() === 0)
  smsc.holdReceipts()
  await sendAll(bound, [buildMessage('919800000005')])
  expect(smsc.receiptsOpen()).toBe(1)
  smsc.releaseReceipts()
  await until(() => smsc.receiptsOpen() === 0)
  smsc.sendText({ from: '919800000001', to: 'ACMESH', text: 'STOP' })
  await until(() => session.events.some(({ kind }) => kind === 'inbound-message'))
  smsc.stopAnswering()
  expect(smsc.connections()).toBe(1)
})

test('a message without a response becomes unknown, and the connection with the other messages stays', async () => {
  const smsc = await start({ answerDelayMs: (n) => (n % 10 === 3 ? undefined : 0) })
  const bound = await session.bound({ port: smsc.port, window: 5, responseTimeoutSeconds: 1 })
  const outcomes = await sendAll(
    bound,
    Array.from({ length: 40 }, (_, index) => buildMessage(String(919_800_000_000 + index))),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(
    Array.from({ length: 40 }, (_, index) => (index % 10 === 3 ? 'unknown' : 'accepted')),
  )
  expect(smsc.counts).toMatchObject({ binds: 1, submits: 40 })
  expect(bound.state()).toMatchObject({ ready: true })
})

test('a connection whose SMSC stops responding is closed, and the next one is used', async () => {
  const smsc = await start({ answerDelayMs: () => undefined })
  const bound = await session.bound({ port: smsc.port, enquireLinkSeconds: 1, responseTimeoutSeconds: 2 })
  expect(await sendAll(bound, [buildMessage('919800000001')])).toMatchObject([{ kind: 'unknown' }])
  smsc.options.answerDelayMs = () => 0
  await until(() => smsc.counts.binds === 2 && bound.state().ready)
  expect(await sendAll(bound, [buildMessage('919800000002')])).toMatchObject([{ kind: 'accepted' }])
})
