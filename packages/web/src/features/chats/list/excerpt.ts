import { truncate } from '@carillon/contract/text'

const before = 24
const longest = 160

/** The part of a text around the first word of a query. */
export function excerptOf(text: string, query: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const at = firstMatch(line, query)
  const from = at > before ? wordStart(line, at - before) : 0
  const part = line.slice(from)
  const cut = part.length > longest ? `${truncate(part, longest)}…` : part
  return (from > 0 ? `…${cut}` : cut).toWellFormed()
}

/** A text in parts, each a match of one of the query's words or not. */
export function splitMatches(text: string, query: string): { part: string; isMatch: boolean }[] {
  const words = wordsOf(query)
  if (words.length === 0) return [{ part: text, isMatch: false }]
  const pattern = new RegExp(words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'giu')
  const parts: { part: string; isMatch: boolean }[] = []
  let from = 0
  for (const { 0: part, index } of text.matchAll(pattern)) {
    if (index > from) parts.push({ part: text.slice(from, index), isMatch: false })
    parts.push({ part, isMatch: true })
    from = index + part.length
  }
  if (from < text.length) parts.push({ part: text.slice(from), isMatch: false })
  return parts
}

function firstMatch(text: string, query: string): number {
  const lower = text.toLowerCase()
  const places = wordsOf(query)
    .map((word) => lower.indexOf(word.toLowerCase()))
    .filter((place) => place >= 0)
  return places.length > 0 ? Math.min(...places) : 0
}

function wordsOf(query: string): string[] {
  return query.split(/\s+/).filter((word) => word !== '')
}

function wordStart(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space < 0 ? 0 : space + 1
}
