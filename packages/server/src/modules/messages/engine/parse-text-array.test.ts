import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../testing/database.ts'
import { parseTextArray } from './parse-text-array.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await testDatabase()
})

afterAll(() => opened.drop())

async function write(values: readonly (string | null)[]): Promise<string> {
  const { rows } = await opened.database.systemPool.query<{ text: string }>('select $1::text[]::text as text', [values])
  return rows[0]?.text ?? ''
}

test.each([
  [[]],
  [['Delhi']],
  [['']],
  [['', 'Name 1', 'Delhi', '']],
  [['a,b', '{}', '"', '\\', '\\"', '"\\', 'NULL', 'null', ' ', '\n', '₹ 5 🎉']],
])('reads %j as it was written', async (values) => {
  expect(parseTextArray(await write(values))).toEqual(values)
})

test('no value is an empty one', async () => {
  expect(parseTextArray(await write([null, 'NULL', null]))).toEqual(['', 'NULL', ''])
})

test('reads any texts as they were written', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'N', 'U', 'L', '"', '\\', ',', '{', '}', ' ', '\n', 'é') })
  await fc.assert(
    fc.asyncProperty(fc.array(text), async (values) => {
      expect(parseTextArray(await write(values))).toEqual(values)
    }),
  )
})
