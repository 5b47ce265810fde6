import { expect, test } from 'vitest'
import { columnUsedFor, type AudienceFill } from './audience-fill.ts'

const fill: Pick<AudienceFill, 'variables'> = {
  variables: [
    { label: 'name', column: 'name', sample: 'Priya', source: { column: 0, fallback: 'Customer' } },
    { label: 'code', column: 'code', sample: 'A1', source: undefined },
  ],
}

test('a column that is used for another variable leaves the one it filled before', () => {
  expect(columnUsedFor(fill, { column: 0, index: 1 })).toEqual([
    { index: 0, source: { fallback: 'Customer' } },
    { index: 1, source: { column: 0, fallback: '' } },
  ])
})

test('another column for a variable keeps the fallback for empty cells', () => {
  expect(columnUsedFor(fill, { column: 3, index: 0 })).toEqual([
    { index: 0, source: { column: 3, fallback: 'Customer' } },
  ])
})

test('a column that is not used any more leaves its variable without a column; what is as it was changes nothing', () => {
  expect(columnUsedFor(fill, { column: 0, index: undefined })).toEqual([{ index: 0, source: { fallback: 'Customer' } }])
  expect(columnUsedFor(fill, { column: 0, index: 0 })).toEqual([])
  expect(columnUsedFor(fill, { column: 5, index: undefined })).toEqual([])
})
