import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { createLogger } from './logger.ts'

const text = 'Canary in a cell'
let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.drop())

function logged(error: unknown): string {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).error({ err: error }, 'it failed')
  return lines.join('')
}

test.each([
  ['a value that is none of its type', `select '${text}'::uuid`],
  ['a text that is no JSON', `select '{"name": "${text}' :: jsonb`],
  ['a row that a check refuses', `create temporary table t (a text check (a = '')); insert into t values ('${text}')`],
  ['a key that is taken', `create temporary table t (a text unique); insert into t values ('${text}'), ('${text}')`],
])('the log contains no value of the row from a database error about %s', async (_, statement) => {
  const error: unknown = await opened.database.ownerPool.query(statement).catch((reason: unknown) => reason)
  expect(logged(error)).toMatch(/"code":"2[23]/)
  expect(logged(error)).not.toContain('Canary')
})

test('nor values quoted in parse errors, error properties or causes', () => {
  let unread: unknown
  try {
    JSON.parse(`{"name": "${text}`.slice(0, -1) + ', oops')
  } catch (error) {
    unread = error
  }
  const more = Object.assign(new Error('behind', { cause: unread }), { rejected: [text], response: text })
  expect(logged(more)).toContain('behind')
  expect(logged(more)).not.toContain('Canary')
})
