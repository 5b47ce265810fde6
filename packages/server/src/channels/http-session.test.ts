import { expect, test } from 'vitest'
import { systemClock } from '../lib/clock.ts'
import { openHttpSession } from './http-session.ts'
import type { OutboundMessage, RevokeOutcome, RevokeRequest, SendOutcome } from './provider.ts'

const io = { clock: systemClock, onState: () => undefined }
const terms = { name: 'test', subject: 'The account' }

const message = (reference: string): OutboundMessage => ({
  reference,
  to: '+919800000000',
  parts: 1,
  expiresAt: new Date(Date.now() + 60_000),
})

const request = (reference: string): RevokeRequest => ({ reference, providerMessageId: reference, to: '+919800000000' })

test('sends and revocations share the places for requests', async () => {
  const open: (() => void)[] = []
  let atOnce = 0
  let most = 0
  async function occupy<Outcome>(outcome: Outcome): Promise<Outcome> {
    most = Math.max(most, (atOnce += 1))
    await new Promise<void>((resolve) => open.push(resolve))
    atOnce -= 1
    return outcome
  }
  const session = openHttpSession(io, {
    ...terms,
    concurrency: 3,
    hand: () => occupy<SendOutcome>({ kind: 'accepted', providerMessageIds: ['1'] }),
    revoke: () => occupy<RevokeOutcome>({ kind: 'requested' }),
  })
  const outcomes: string[] = []
  session.send([message('a'), message('b')], (_, { kind }) => outcomes.push(kind))
  session.revoke?.([request('c'), request('d'), request('e')], (_, { kind }) => outcomes.push(kind))
  while (outcomes.length < 5) {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(most).toBe(3)
  expect(outcomes.toSorted()).toEqual(['accepted', 'accepted', 'requested', 'requested', 'requested'])
})

test('an error, or a session that closes, asks to revoke again later', async () => {
  const session = openHttpSession(io, {
    ...terms,
    concurrency: 2,
    hand: () => Promise.reject(new Error('no')),
    revoke: () => Promise.reject(new Error('broken')),
  })
  const ask = () =>
    new Promise<RevokeOutcome>((resolve) => session.revoke?.([request('a')], (_, outcome) => resolve(outcome)))
  expect(await ask()).toMatchObject({ kind: 'retry', code: 'FAILED', detail: 'Error: broken' })
  await session.close(0)
  expect(await ask()).toMatchObject({ kind: 'retry', code: 'not_connected' })
})

test('a provider that cannot revoke has no such call', () => {
  const session = openHttpSession(io, { ...terms, concurrency: 1, hand: () => Promise.reject(new Error('no')) })
  expect(session.revoke).toBeUndefined()
})

test('urgent messages precede others that wait for a place', async () => {
  const open: (() => void)[] = []
  const sent: string[] = []
  const session = openHttpSession(io, {
    ...terms,
    concurrency: 1,
    window: 4,
    async hand({ reference }) {
      sent.push(reference)
      await new Promise<void>((resolve) => open.push(resolve))
      return { kind: 'accepted', providerMessageIds: [reference] }
    },
  })
  expect(session.window).toBe(4)
  let outcomes = 0
  const count = () => void (outcomes += 1)
  session.send([message('a'), message('b'), message('c')], count)
  session.send([message('urgent')], count, { isUrgent: true })
  while (outcomes < 4) {
    open.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent).toEqual(['a', 'urgent', 'b', 'c'])
})
