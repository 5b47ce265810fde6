import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextStore } from './text-store.ts'

test('returns every text by its index, across many blocks', () => {
  const store = createTextStore()
  const texts = Array.from({ length: 3000 }, (_, index) => `${index} ${'आशा'.repeat(index % 400)}`)
  for (const text of texts) store.add(text)
  expect(texts.every((text, index) => store.get(index) === text)).toBe(true)
  expect(store.get(3000)).toBe('')
  expect(store.get(Number.NaN)).toBe('')
})

test('arbitrary texts, including empty ones', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      const store = createTextStore()
      for (const text of texts) store.add(text)
      expect(texts.map((_, index) => store.get(index))).toEqual(texts)
    }),
  )
})

test('truncates texts to 4,000 characters', () => {
  const store = createTextStore()
  store.add('x'.repeat(100_000))
  store.add('next')
  expect([store.get(0).length, store.get(1)]).toEqual([4000, 'next'])
})
