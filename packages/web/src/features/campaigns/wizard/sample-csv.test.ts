import { expect, test } from 'vitest'
import { sampleCsv } from './sample-csv.ts'

const linesOf = async (...variables: Parameters<typeof sampleCsv>) =>
  (await sampleCsv(...variables).text()).replace('\ufeff', '').trimEnd().split('\r\n')

test('the sample has the number and a column for each variable, with its sample', async () => {
  const variables = [
    { name: 'name', sample: 'Priya' },
    { name: 'amount', sample: '1,250' },
  ]
  expect(await linesOf(variables)).toEqual([
    'Mobile,name,amount',
    '919845011208,Priya,"1,250"',
    '919900412768,Priya,"1,250"',
  ])
})

test('a variable used twice in the text is one column, and without a template there is a name', async () => {
  const twice = [
    { name: 'code', sample: 'A' },
    { name: 'Code', sample: 'B' },
  ]
  expect((await linesOf(twice))[0]).toBe('Mobile,Code')
  expect((await linesOf([]))[0]).toBe('Mobile,name')
})
