import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLines, tallestCard, tallText } from './equal-heights.ts'
import { carouselCard, emptyForm } from './form.ts'

const { input } = emptyForm(null)

function carousel(descriptions: readonly string[]) {
  const carouselList = descriptions.map((cardDescription, order) => ({ ...carouselCard(order), cardDescription }))
  return { ...input, type: 'carousel' as const, carouselList }
}

const long = 'Ten metres of warm white light with a timer, a remote control and twelve months of warranty.'

test('the card that stretches the others is named, with what to cut', () => {
  const found = tallestCard(carousel(['From ₹499.', 'From ₹349.', long]))
  expect(found && tallText(found)).toMatch(/^Card 3 is [23] lines taller: all cards stretch$/)
  expect(long.startsWith(found?.trimmed ?? 'x')).toBe(true)
})

test('cards of one height, and messages of other types, are left alone', () => {
  expect(tallestCard(carousel([long, long]))).toBeUndefined()
  expect(tallestCard({ ...carousel(['', long]), type: 'text_message' })).toBeUndefined()
})

test('after trimming, nothing stretches', () => {
  const text = fc.lorem({ maxCount: 40 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (descriptions) => {
      const before = carousel(descriptions)
      const found = tallestCard(before)
      if (found?.trimmed === undefined) return
      const trimmed = found.trimmed
      const after = carousel(descriptions.map((one, index) => (index === found.index ? trimmed : one)))
      expect(tallestCard(after)).toBeUndefined()
      const was = countLines(descriptions[found.index] ?? '', input.width)
      expect(countLines(trimmed, input.width)).toBeLessThanOrEqual(was - found.lines)
    }),
  )
})
