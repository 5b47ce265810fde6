import { expect, test } from 'vitest'
import { firstSchedule, inputOf, runsOfDraft } from './schedule-draft.ts'

test('addresses are separated by commas, semicolons or lines', () => {
  const draft = { ...firstSchedule(''), addresses: 'a@x.test, b@x.test;c@x.test\nd@x.test' }
  expect(inputOf(draft).destination).toEqual({
    type: 'email',
    addresses: ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'],
  })
})

test('only the day of the chosen frequency is sent, and no empty secret', () => {
  const draft = { ...firstSchedule(''), frequency: 'monthly', dayOfMonth: 31, destination: 's3' } as const
  expect(inputOf(draft)).toMatchObject({ weekday: null, dayOfMonth: 31 })
  expect(inputOf(draft).destination).not.toHaveProperty('secretAccessKey')
})

test('the next runs of a draft are those of its time zone', () => {
  const draft = { ...firstSchedule(''), frequency: 'daily', time: '02:30', timezone: 'Europe/Berlin' } as const
  expect(runsOfDraft(draft, new Date('2026-03-28T12:00:00Z')).map((at) => at.toISOString())).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
    '2026-03-31T00:30:00.000Z',
  ])
  expect(runsOfDraft({ ...draft, time: '' }, new Date())).toEqual([])
})
