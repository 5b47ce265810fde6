import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFields, parseList } from './field-list.ts'
import { escapeNonAscii } from './outbox.ts'
import { dialledDigits, waIdOf } from './people.ts'
import { decideGraphResult } from './results.ts'
import { scenarioPlan } from '../scenarios.ts'
import { defaultSettings } from './settings.ts'
import { listVariables } from './template-plan.ts'

test('escaped JSON is plain ASCII and means the same', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const escaped = escapeNonAscii(json)
      expect(/^[\u0000-\u007f]*$/.test(escaped)).toBe(true)
      expect(JSON.parse(escaped)).toEqual(JSON.parse(json))
    }),
  )
})

test('with any faults, a phone has only what was accepted, and a rejected message is never reported', () => {
  const plan = scenarioPlan('hostile', { magicNumbers: false })
  const send = fc.record({
    to: fc.stringMatching(/^91\d{10}$/),
    attempt: fc.integer({ min: 1, max: 9 }),
    failure: fc.option(fc.constantFrom(131047, 131026), { nil: undefined }),
    isBlocked: fc.boolean(),
    readReceipts: fc.boolean(),
  })
  fc.assert(
    fc.property(send, (given) => {
      const result = decideGraphResult(plan, defaultSettings, given)
      if (!result.isAccepted) expect(result).toMatchObject({ isReceived: false, reports: [] })
      if (given.failure !== undefined || given.isBlocked) expect(result.isReceived).toBe(false)
      if (!given.readReceipts) expect(result.reports.some(({ status }) => status === 'read')).toBe(false)
      expect(decideGraphResult(plan, defaultSettings, given)).toEqual(result)
    }),
  )
})

describe('reading', () => {
  test.each([
    ['name,status', ['name', 'status']],
    ['health_status{can_send_message,entities},id', ['health_status', 'id']],
    ['analytics.start(1).end(2).dimensions(["A","B"]),id', ['analytics', 'id']],
  ])('fields %s', (text, names) => {
    expect(parseFields(text)?.map(({ name }) => name)).toEqual(names)
  })

  test('the filters of a field, and lists in every form', () => {
    expect(parseFields('analytics.start(1).phone_numbers(["1","2"])')?.[0]?.filters).toEqual({
      start: '1',
      phone_numbers: '["1","2"]',
    })
    for (const text of ['["a","b"]', '[a, b]', 'a,b', "['a','b']"]) expect(parseList(text)).toEqual(['a', 'b'])
  })

  test.each([
    ['+91 98123-45678', '919812345678'],
    ['(0)9812345678', '09812345678'],
    ['9812345678', '919812345678'],
    ['Asha', undefined],
    ['12', undefined],
  ])('dialled %s', (to, digits) => {
    expect(dialledDigits(to, '91')).toBe(digits)
  })

  test.each([
    ['5215512345678', '525512345678'],
    ['5585912345678', '558512345678'],
    ['5511912345678', '5511912345678'],
    ['919812345678', '919812345678'],
  ])('%s is %s on WhatsApp', (digits, waId) => {
    expect(waIdOf(digits)).toBe(waId)
  })

  test('variables by number or in order of appearance', () => {
    expect(listVariables('{{2}} and {{1}} and {{2}}')).toEqual(['1', '2'])
    expect(listVariables('{{name}}, {{ city }}')).toEqual(['name', 'city'])
  })
})
