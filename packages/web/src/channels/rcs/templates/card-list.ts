import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsCarouselCard } from '@carillon/contract/channels/rcs/rcs-templates'
import { carouselCard } from './form.ts'

type Cards = readonly RcsCarouselCard[]

/** A list of cards after a change, and the card to edit next. */
export type CardChange = { cards: RcsCarouselCard[]; index: number }

export function addCard(cards: Cards): CardChange | undefined {
  if (cards.length >= rcsLimits.cards) return undefined
  return { cards: numbered([...cards, carouselCard(cards.length)]), index: cards.length }
}

/** The copy is placed after the card. */
export function duplicateCard(cards: Cards, index: number): CardChange | undefined {
  const card = cards[index]
  if (!card || cards.length >= rcsLimits.cards) return undefined
  return { cards: numbered([...cards.slice(0, index + 1), card, ...cards.slice(index + 1)]), index: index + 1 }
}

export function removeCard(cards: Cards, index: number): CardChange {
  const left = cards.filter((_, place) => place !== index)
  return { cards: numbered(left), index: Math.max(0, Math.min(index, left.length - 1)) }
}

/** Puts a removed card back. */
export function insertCard(cards: Cards, index: number, card: RcsCarouselCard): RcsCarouselCard[] {
  return numbered([...cards.slice(0, index), card, ...cards.slice(index)])
}

/** Moves a card to a position; positions outside the list are its ends. */
export function moveCard(cards: Cards, from: number, to: number): CardChange {
  const index = Math.max(0, Math.min(to, cards.length - 1))
  const others = cards.filter((_, place) => place !== from)
  const card = cards[from]
  if (!card) return { cards: numbered(cards), index: from }
  return { cards: numbered([...others.slice(0, index), card, ...others.slice(index)]), index }
}

/** 'Card 2 moved to position 1 of 4'. */
export function moveText(from: number, { cards, index }: CardChange): string {
  return `Card ${from + 1} moved to position ${index + 1} of ${cards.length}`
}

function numbered(cards: Cards): RcsCarouselCard[] {
  return cards.map((card, order) => ({ ...card, order }))
}
