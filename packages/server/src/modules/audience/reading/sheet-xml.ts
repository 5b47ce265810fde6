import { limits } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

/**
 * Whole elements of one name as they arrive, outer tags included; the two names asked for (`row`, `si`) never nest.
 * What follows the closing tag of `parent` is read past, for the checksum at the end of the file is over all of it.
 */
export async function* readElements(
  texts: AsyncIterable<string>,
  { name, parent }: { name: string; parent: string },
): AsyncGenerator<string[]> {
  let waiting = ''
  let prefix: string | undefined
  let isClosed = false
  for await (const piece of texts) {
    if (isClosed) continue
    const text = waiting + piece
    prefix ??= prefixOf(text, parent)
    const tag = `${prefix ?? ''}${name}`
    const { elements, end } = cutElements(text, tag)
    if (elements.length > 0) yield elements
    isClosed = text.includes(`</${prefix ?? ''}${parent}>`, end)
    waiting = isClosed ? '' : text.slice(end)
    if (waiting.length > limits.rowCharacters * 2) throw new UnreadableFile('row_too_long')
  }
}

/** Some writers put a prefix before every name, `<x:row>`; undefined until the parent was seen. */
function prefixOf(text: string, parent: string): string | undefined {
  const match = new RegExp(`<(\\w+:)?${parent}[\\s>]`).exec(text)
  return match ? (match[1] ?? '') : undefined
}

/** The elements that are whole, and where the first one that is not begins. */
function cutElements(text: string, tag: string): { elements: string[]; end: number } {
  const elements: string[] = []
  let end = 0
  for (;;) {
    const start = findTag(text, tag, end)
    // A tag may be cut in two by the end of the piece.
    if (start < 0) return { elements, end: Math.max(end, text.lastIndexOf('<')) }
    const close = text.indexOf('>', start)
    if (close < 0) return { elements, end: start }
    if (text.charCodeAt(close - 1) === slash) {
      elements.push(text.slice(start, close + 1))
      end = close + 1
      continue
    }
    const until = text.indexOf(`</${tag}>`, close)
    if (until < 0) return { elements, end: start }
    end = until + tag.length + 3
    elements.push(text.slice(start, end))
  }
}

const slash = 47

/** `<c` is not `<cols`: the name must end there. */
export function findTag(text: string, tag: string, from: number): number {
  let at = text.indexOf(`<${tag}`, from)
  while (at >= 0) {
    const next = text.charCodeAt(at + tag.length + 1)
    // A space, >, / or a line end; NaN at the end of the piece is for the next one to tell.
    if (next === 32 || next === 62 || next === slash || next === 10 || next === 13 || next === 9) return at
    at = text.indexOf(`<${tag}`, at + 1)
  }
  return -1
}

/** The value of an attribute in a tag. */
export function attribute(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}=`)
  if (at < 0) return undefined
  const start = at + name.length + 3
  const end = tag.indexOf(tag.charAt(start - 1), start)
  return end < 0 ? undefined : unescapeXml(tag.slice(start, end))
}

/** All text runs of a rich text, without the phonetic ones. */
export function textIn(xml: string): string {
  const plain = xml.includes('rPh') ? xml.replaceAll(/<(?:\w+:)?rPh\b[\s\S]*?<\/(?:\w+:)?rPh>/g, '') : xml
  let text = ''
  for (const [, run = ''] of plain.matchAll(/<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)</g)) text += run
  return unescapeExcel(unescapeXml(text))
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five names of XML and characters by number. A document's own entities are never expanded. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => named[name] ?? numbered(name) ?? whole)
}

function numbered(name: string): string | undefined {
  const code = /^#x[\da-f]+$/i.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : /^#\d+$/.test(name)
      ? Number(name.slice(1))
      : -1
  if (code < 0) return undefined
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Excel writes characters that XML cannot carry as _x000D_. */
function unescapeExcel(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([\dA-F]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
