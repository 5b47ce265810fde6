import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildMessage, openTestSession, until, type TestSession } from '@carillon/server/channels/sms/smpp/test-session'
import { sendAll } from '@carillon/server/testing/send-all'
import { startForeignSmsc, type ForeignSmsc } from './smsc.ts'

let session: TestSession
let smsc: ForeignSmsc

beforeEach(async () => {
  session = openTestSession()
  smsc = await startForeignSmsc()
})

afterEach(async () => {
  await session.close()
  await smsc.close()
})

/** Only enquire_link can detect the silence, because responses to messages may take ten minutes. */
const settings = { enquireLinkSeconds: 1, responseTimeoutSeconds: 600 }

test('an idle bind whose peer vanished silently is replaced', async () => {
  const bound = await session.bound({ ...settings, port: smsc.port })
  smsc.stopAnswering()
  await until(() => !bound.state().ready)
  expect(bound.state().lastError?.message).toBe('The connection timed out')
  smsc.startAnswering()
  await until(() => bound.state().ready)
  expect(smsc.counts.binds).toBe(2)
})

test('messages in flight on a bind whose peer vanished become unknown, and the next ones are sent', async () => {
  const bound = await session.bound({ ...settings, port: smsc.port })
  smsc.stopAnswering()
  const outcomes = await sendAll(
    bound,
    ['919800000001', '919800000002'].map((number) => buildMessage(number)),
  )
  expect(outcomes).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }])
  smsc.startAnswering()
  await until(() => bound.state().ready)
  expect(await sendAll(bound, [buildMessage('919800000003')])).toMatchObject([{ kind: 'accepted' }])
})
