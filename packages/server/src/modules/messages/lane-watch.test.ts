import { expect, test } from 'vitest'
import type { Session } from '../../channels/provider.ts'
import { createLaneWatch } from './lane-watch.ts'

const never = new Promise<never>(() => undefined)

function build() {
  let nowMs = 0
  let ready = true
  const session: Session = {
    send: () => never,
    state: () => ({ ready, binds: [], lastError: undefined }),
    window: 10,
    close: () => Promise.resolve(),
  }
  const watch = createLaneWatch(() => nowMs)
  return {
    watch,
    session: watch.watch('provider', session, ['send']),
    pass(seconds: number) {
      nowMs += seconds * 1000
    },
    setReady(isReady: boolean) {
      ready = isReady
    },
    findStuck: (hasWork: boolean) => watch.findStuck(session, hasWork),
  }
}

test('a lane that gets its answers is not stuck, however long it works', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watch('database', { query: () => Promise.resolve('rows') }, ['query'])
  for (let turn = 0; turn < 10; turn += 1) {
    expect(await database.query()).toBe('rows')
    pass(60)
    expect(findStuck(true)).toBeUndefined()
  }
})

test('one query without an answer makes a lane stuck, even while others are answered', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watch('database', { query: (text: string) => (text === 'lock' ? never : Promise.resolve()) }, [
    'query',
  ])
  database.query('lock').catch(() => undefined)
  pass(19)
  await database.query('other')
  expect(findStuck(false)).toBeUndefined()
  pass(2)
  expect(findStuck(false)).toBe('the database does not answer')
})

test('a failed query is answered', async () => {
  const { watch, pass, findStuck } = build()
  const database = watch.watch('database', { query: () => Promise.reject(new Error('refused')) }, ['query'])
  await expect(database.query()).rejects.toThrow('refused')
  pass(60)
  expect(findStuck(true)).toBeUndefined()
})

test('messages may be unanswered for as long as a provider may take', () => {
  const { session, pass, findStuck } = build()
  session.send([]).catch(() => undefined)
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
