import { limits } from './rows.ts'
import { UnreadableFile } from './unreadable-file.ts'

/**
 * Streams complete elements of one name, including tags; the two names used (`row`, `si`) never nest. Data after the closing
 * tag of `parent` is still read, because the checksum covers the whole file.
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
    if (elements.length > 0) yield prefix ? elements.map((element) => withoutPrefix(element, prefix ?? '')) : elements
    isClosed = text.includes(`</${prefix ?? ''}${parent}>`, end)
    waiting = isClosed ? '' : text.slice(end)
    if (waiting.length > limits.rowCharacters * 2) throw new UnreadableFile('row_too_long')
  }
}

/** Some writers prefix every name, `<x:row>`; undefined until the parent was found. */
function prefixOf(text: string, parent: string): string | undefined {
  const match = new RegExp(`<(\\w+:)?${parent}[\\s>]`).exec(text)
  return match ? (match[1] ?? '') : undefined
}

function withoutPrefix(element: string, prefix: string): string {
  return element.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</')
}

/** The complete elements, and the position where the first incomplete one begins. */
function cutElements(text: string, tag: string): { elements: string[]; end: number } {
  const elements: string[] = []
  let end = 0
  for (;;) {
    const start = findTag(text, tag, end)
    // A tag may be split at the end of the piece.
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

/** Character codes of space, >, / and line endings. */
const endsName: Record<number, true> = { 9: true, 10: true, 13: true, 32: true, 47: true, 62: true }

/** `<c` must not match `<cols`: the name must end there. */
export function findTag(text: string, tag: string, from: number): number {
  const opening = `<${tag}`
  let at = text.indexOf(opening, from)
  // If the piece ends within the tag, the next piece decides.
  while (at >= 0 && !endsName[text.charCodeAt(at + opening.length)]) at = text.indexOf(opening, at + 1)
  return at
}

/** The value of an attribute in a tag. */
export function attribute(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}=`)
  if (at < 0) return undefined
  const start = at + name.length + 3
  const end = tag.indexOf(tag.charAt(start - 1), start)
  return end < 0 ? undefined : unescapeXml(tag.slice(start, end))
}

/** The text of the next element with this name and its end; undefined if there is none. */
export function elementText(xml: string, tag: string, from: number): { text: string; end: number } | undefined {
  const start = findTag(xml, tag, from)
  if (start < 0) return undefined
  const close = xml.indexOf('>', start)
  if (xml.charCodeAt(close - 1) === slash) return { text: '', end: close }
  const end = xml.indexOf('<', close)
  return end < 0 ? undefined : { text: xml.slice(close + 1, end), end }
}

/** The text runs of a rich text, without phonetic ones. */
export function textIn(xml: string): string {
  const plain = xml.includes('<rPh') ? xml.replaceAll(/<rPh\b[\s\S]*?<\/rPh>/g, '') : xml
  let text = ''
  for (let run = elementText(plain, 't', 0); run; run = elementText(plain, 't', run.end)) text += run.text
  return unescapeExcel(unescapeXml(text))
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Decodes the five XML entities and numeric characters. A document's own entities are never expanded. */
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

/** Decodes Excel's escapes of characters XML cannot represent: _x000D_. */
function unescapeExcel(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([\dA-F]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
