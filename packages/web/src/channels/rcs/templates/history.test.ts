import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginHistory, record, redo, undo } from './history.ts'

test('typing in a field is one step; another change is the next', () => {
  const typed = ['h', 'he', 'hey'].reduce((history, text) => record(history, text, 'title'), beginHistory(''))
  const changed = record(typed, 'HEY')
  expect(undo(changed).present).toBe('hey')
  expect(undo(undo(changed)).present).toBe('')
  expect(redo(undo(changed)).present).toBe('HEY')
})

test('at least fifty steps are kept, and undo and redo are inverse', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.nat(50), (count, wanted) => {
      const states = Array.from({ length: count + 1 }, (_, value) => value)
      const full = states.slice(1).reduce((history, value) => record(history, value), beginHistory(0))
      const steps = Array.from({ length: Math.min(wanted, count) })
      const back = steps.reduce<typeof full>((history) => undo(history), full)
      expect(back.present).toBe(count - steps.length)
      expect(steps.reduce<typeof full>((history) => redo(history), back).present).toBe(count)
    }),
  )
})
