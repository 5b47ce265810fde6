import type { Channel } from '@carillon/contract/channels'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addLeg, blankLegs, moveLeg, moveProblem, removeLeg, usualOrder } from './leg-order.ts'

const editor = {
  emptyValues: {},
  outcomes: () => [{ type: 'undelivered_after' as const, label: '', help: '', short: '', minutes: 10 }],
}
const edited = usualOrder((['sms', 'rcs', 'whatsapp'] as const).map((channel) => ({ channel, editor })))
const [first, ...others] = edited
if (!first) throw new Error('There are channels')
const legs = blankLegs([first, ...others])
const orderOf = (all: readonly { channel: Channel }[]) => all.map(({ channel }) => channel)

test('a new campaign ends on the channel that cannot fail over', () => {
  expect(orderOf(legs)).toEqual(['rcs', 'whatsapp', 'sms'])
  expect(legs.map(({ entryConditions }) => entryConditions.length)).toEqual([0, 1, 1])
})

test('a channel that cannot fail over stays last', () => {
  expect(moveProblem(legs, 2, 1)).toBe('SMS cannot fail over to WhatsApp')
  expect(moveProblem(legs, 0, 1)).toBeUndefined()
  expect(orderOf(moveLeg(legs, { from: 0, to: 1, edited }))).toEqual(['whatsapp', 'rcs', 'sms'])
})

test('a channel is added as far back as possible, and keeps its choices while it is moved', () => {
  const without = removeLeg(legs, 'rcs', edited)
  expect(without[0]).toMatchObject({ channel: 'whatsapp', entryConditions: [] })
  expect(orderOf(addLeg(without, 'rcs', edited))).toEqual(['whatsapp', 'rcs', 'sms'])
  expect(orderOf(addLeg(removeLeg(without, 'whatsapp', edited), 'rcs', edited))).toEqual(['rcs', 'sms'])
  const [own, ...rest] = legs
  const chosen: typeof legs = [{ ...own, templateId: 'chosen' }, ...rest]
  expect(moveLeg(chosen, { from: 0, to: 1, edited })[1]).toMatchObject({ channel: 'rcs', templateId: 'chosen' })
})

test('only the first message is sent without conditions, whatever the order', () => {
  const places = fc.integer({ min: 0, max: 2 })
  fc.assert(
    fc.property(fc.array(fc.tuple(places, places), { maxLength: 12 }), (moves) => {
      const result = moves.reduce(
        (order, [from, to]) => (moveProblem(order, from, to) ? order : moveLeg(order, { from, to, edited })),
        legs,
      )
      expect(orderOf(result).toSorted()).toEqual(['rcs', 'sms', 'whatsapp'])
      expect(result.map(({ entryConditions }) => entryConditions.length > 0)).toEqual([false, true, true])
      expect(orderOf(result).at(-1)).toBe('sms')
    }),
  )
})
