import { characterStart } from '@carillon/contract/text'
import type { Mark } from '../../../ui/phone/text-runs.ts'

export type WhatsappFormat = 'bold' | 'italic' | 'strike' | 'mono' | 'marker'

const signs = { '*': 'bold', _: 'italic', '~': 'strike' } as const

/** Ranges formatted by WhatsApp: *bold* _italic_ ~strike~ ```mono```; the markers themselves are marked `marker`. */
export function findFormats(text: string): Mark<WhatsappFormat>[] {
  const marks: Mark<WhatsappFormat>[] = []
  const plain = text.replace(/```([^]+?)```/g, (whole, _inner, start: number) => {
    marks.push(...wrapped({ start, end: start + whole.length, size: 3, look: 'mono' }))
    return ' '.repeat(whole.length)
  })
  // A pair is within one line, adjacent to its words, and not adjacent to letters outside.
  const pair = /(?<![\p{L}\p{N}])([*_~])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu
  for (const start of nestedStarts(plain, pair)) {
    marks.push(...wrapped({ ...start, size: 1 }))
  }
  return marks
}

type Found = { start: number; end: number; look: WhatsappFormat }

/** Pairs can be nested: *_both_*. */
function nestedStarts(text: string, pair: RegExp, offset = 0): Found[] {
  return [...text.matchAll(pair)].flatMap((found) => {
    const start = offset + found.index
    const look = signs[found[1] === '*' ? '*' : found[1] === '_' ? '_' : '~']
    return [{ start, end: start + found[0].length, look }, ...nestedStarts(found[2] ?? '', pair, start + 1)]
  })
}

function wrapped({ start, end, size, look }: Found & { size: number }): Mark<WhatsappFormat>[] {
  return [
    { start, end: start + size, look: 'marker' },
    { start: start + size, end: end - size, look },
    { start: end - size, end, look: 'marker' },
  ]
}

const lettersOnALine = 34

/** Index after which phones collapse a long text behind 'Read more'; undefined if it is short. */
export function foldAt(text: string, lines = 5): number | undefined {
  let used = 0
  let at = 0
  for (const line of text.split('\n')) {
    const needed = Math.max(1, Math.ceil(line.length / lettersOnALine))
    if (used + needed > lines) {
      const room = Math.max(0, (lines - used) * lettersOnALine - 10)
      const cut = at + Math.min(line.length, room)
      const word = text.lastIndexOf(' ', cut)
      return text.slice(0, word > at ? word : characterStart(text, cut)).trimEnd().length
    }
    used += needed
    at += line.length + 1
  }
  return undefined
}
