import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCard, duplicateCard, insertCard, moveCard, moveText, removeCard } from './card-list.ts'
import { carouselCard } from './form.ts'

const titled = (titles: readonly string[]) => titles.map((cardTitle, order) => ({ ...carouselCard(order), cardTitle }))
const titlesOf = (cards: readonly { cardTitle: string }[]) => cards.map(({ cardTitle }) => cardTitle).join('')

test('a card is moved, and the move is said in words', () => {
  const moved = moveCard(titled(['a', 'b', 'c', 'd']), 1, 0)
  expect(titlesOf(moved.cards)).toBe('bacd')
  expect(moveText(1, moved)).toBe('Card 2 moved to position 1 of 4')
})

test('a copy follows its card, up to ten cards', () => {
  const copied = duplicateCard(titled(['a', 'b']), 0)
  expect(copied && [titlesOf(copied.cards), copied.index]).toEqual(['aab', 1])
  const ten = titled(Array.from('abcdefghij'))
  expect(duplicateCard(ten, 0)).toBeUndefined()
  expect(addCard(ten)).toBeUndefined()
})

test('whatever is changed, cards are numbered in their order, and a removed card returns to its place', () => {
  const letters = fc.uniqueArray(fc.constantFrom(...Array.from('abcdefgh')), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(letters, fc.nat(9), fc.integer({ min: -3, max: 12 }), (titles, pick, to) => {
      const cards = titled(titles)
      const index = pick % cards.length
      const moved = moveCard(cards, index, to)
      expect(moved.cards.map(({ order }) => order)).toEqual(cards.map((_, order) => order))
      expect(titlesOf(moved.cards).split('').toSorted()).toEqual([...titles].toSorted())
      expect(moved.cards[moved.index]?.cardTitle).toBe(titles[index])
      const card = cards[index]
      if (card) expect(titlesOf(insertCard(removeCard(cards, index).cards, index, card))).toBe(titles.join(''))
    }),
  )
})
