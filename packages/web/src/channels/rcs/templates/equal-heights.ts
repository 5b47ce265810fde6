import { rcsCardWidths } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsCard, RcsTemplateContent } from '@carillon/contract/channels/rcs/rcs-templates'
import { countOf } from '../../../lib/format.ts'

type Width = RcsTemplateContent['width']

const padding = 24
const lineHeight = 20
const suggestionHeight = 41

/** Width of an average character of the phone's text, in CSS pixels, at 14 px. */
const widths = { narrow: 3.8, usual: 7.3, wide: 10.5 }

export type TallCard = {
  index: number
  /** Lines by which it is taller than the next tallest card. */
  lines: number
  /** Its description, shortened until it is as high as the next tallest; undefined if that does not suffice. */
  trimmed: string | undefined
}

/** The card that stretches all others of a carousel; undefined if none does. */
export function tallestCard({ carouselList, width, type }: RcsTemplateContent): TallCard | undefined {
  if (type !== 'carousel' || carouselList.length < 2) return undefined
  const heights = carouselList.map((card) => heightOf(card, width))
  const most = Math.max(...heights)
  const index = heights.indexOf(most)
  const next = Math.max(...heights.filter((_, place) => place !== index))
  const lines = Math.round((most - next) / lineHeight)
  const card = carouselList[index]
  if (!card || lines < 1) return undefined
  return { index, lines, trimmed: trimLines(card.cardDescription, lines, width) }
}

/** 'Card 3 is 2 lines taller: all cards stretch'. */
export function tallText({ index, lines }: TallCard): string {
  return `Card ${index + 1} is ${countOf(lines, 'line')} taller: all cards stretch`
}

/** Height of the text and suggestions of a card, without its media. */
function heightOf({ cardTitle, cardDescription, suggestions }: RcsCard, width: Width): number {
  const lines = countLines(cardTitle, width) + countLines(cardDescription, width)
  return lines * lineHeight + suggestions.length * suggestionHeight
}

/** Lines of a text on a card, estimated from average character widths. */
export function countLines(text: string, width: Width): number {
  return text === '' ? 0 : wrap(text, rcsCardWidths[width] - padding).length
}

/** The text with so many lines fewer, cut at a word. */
function trimLines(text: string, lines: number, width: Width): string | undefined {
  const all = text === '' ? [] : wrap(text, rcsCardWidths[width] - padding)
  if (all.length <= lines) return undefined
  const end = all[all.length - lines] ?? 0
  return text.slice(0, end).trimEnd()
}

/** The start of each line, broken at spaces as phones do. */
function wrap(text: string, room: number): number[] {
  const starts = [0]
  let used = 0
  for (const { 0: word, index } of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
    if (word === '\n') {
      starts.push(index + 1)
      used = 0
      continue
    }
    const size = sizeOf(word)
    const isSpace = word.trim() === ''
    if (used + size > room && used > 0 && !isSpace) {
      starts.push(index)
      used = 0
    }
    used = isSpace || size <= room ? used + size : breakWord({ word, index, room, starts })
  }
  return starts
}

/** Breaks a word that is longer than a line; returns the width used in its last line. */
function breakWord({ word, index, room, starts }: { word: string; index: number; room: number; starts: number[] }) {
  let used = 0
  let at = index
  for (const character of word) {
    const size = sizeOf(character)
    if (used + size > room && used > 0) {
      starts.push(at)
      used = 0
    }
    used += size
    at += character.length
  }
  return used
}

function sizeOf(text: string): number {
  let size = 0
  for (const character of text) size += widths[kindOf(character)]
  return size
}

function kindOf(character: string): keyof typeof widths {
  if (/[iljtfrI.,:;'!|()[\] ]/.test(character)) return 'narrow'
  return /[mwMW@%]|[\u{1100}-\u{11ff}\u{2600}-\u{ffff}]|\p{Extended_Pictographic}/u.test(character) ? 'wide' : 'usual'
}
