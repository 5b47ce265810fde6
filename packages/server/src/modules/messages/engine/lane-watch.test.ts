import { expect, test } from 'vitest'
import type pg from 'pg'
import type { OutboundMessage, Session } from '../../../channels/provider.ts'
import { createLaneWatch } from './lane-watch.ts'

const never = new Promise<never>(() => undefined)
const message: OutboundMessage = { reference: 'r', to: '+919845011208', parts: 1, expiresAt: new Date(8e12) }

/** A pool of which only `query` is used. */
const poolOf = (query: (text: string) => Promise<unknown>) => ({ query }) as unknown as pg.Pool

function build() {
  let nowMs = 0
  let ready = true
  const session: Session = {
    send: () => undefined,
    state: () => ({ ready, binds: [], lastError: undefined }),
    window: 10,
    close: () => Promise.resolve(),
  }
  const watch = createLaneWatch(() => nowMs)
  return {
    watch,
    session: watch.watchSession(session),
    pass(seconds: number) {
      nowMs += seconds * 1000
    },
    setReady(isReady: boolean) {
      ready = isReady
    },
    findStuck: (hasWork: boolean) => watch.findStuck(session, hasWork),
  }
}

test('a lane whose queries are answered is not stuck, however long it works', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watchPool(poolOf(() => Promise.resolve('rows')))
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await database.query('select')).toBe('rows')
    pass(60)
    expect(findStuck(true)).toBeUndefined()
  }
})

test('one unanswered query makes a lane stuck, even while others are answered', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watchPool(poolOf((text) => (text === 'lock' ? never : Promise.resolve())))
  database.query('lock').catch(() => undefined)
  pass(19)
  await database.query('other')
  expect(findStuck(false)).toBeUndefined()
  pass(2)
  expect(findStuck(false)).toBe('the database does not respond')
})

test('a failed query counts as answered', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watchPool(poolOf(() => Promise.reject(new Error('refused'))))
  await expect(database.query('select')).rejects.toThrow('refused')
  pass(60)
  expect(findStuck(true)).toBeUndefined()
})

test('messages may be unanswered for as long as a provider may take', () => {
  const { session, pass, findStuck } = build()
  session.send([message], () => undefined)
  pass(600)
  expect(findStuck(true)).toBeUndefined()
  pass(301)
  expect(findStuck(true)).toBe('the provider does not answer')
})

test('a lane without a connection is stuck only when there is work, and not while one may still open', () => {
  const { setReady, pass, findStuck } = build()
  setReady(false)
  expect(findStuck(true)).toBeUndefined()
  pass(41)
  expect(findStuck(false)).toBeUndefined()
  expect(findStuck(true)).toBe('there is no connection to the provider')
  setReady(true)
  expect(findStuck(true)).toBeUndefined()
  setReady(false)
  expect(findStuck(true)).toBeUndefined()
})
