/** Maximum length of a grapheme kept whole, in UTF-16 units. A longer one is cut, but never inside a surrogate pair. */
const longestGrapheme = 64

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Truncates a text to a number of UTF-16 units. A grapheme at the cut is dropped as a whole. Lone surrogates become replacement characters. */
export function truncate(text: string, maximum: number): string {
  if (text.length <= maximum) return text.toWellFormed()
  const from = Math.max(0, maximum - 2 * longestGrapheme)
  const grapheme = segmenter.segment(text.slice(from, maximum + 2)).containing(maximum - from)
  const end = from + (grapheme?.index ?? maximum - from)
  return text.slice(0, maximum - end <= longestGrapheme ? end : characterStart(text, maximum)).toWellFormed()
}

/** The index of the character at this position; one less inside a surrogate pair. */
export function characterStart(text: string, at: number): number {
  const isBetween = at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
  return isBetween ? at - 1 : at
}

/** The first graphemes of a text (user-perceived characters). */
export function firstGraphemes(text: string, count: number): string {
  let end = 0
  let left = count
  for (const { index, segment } of segmenter.segment(text)) {
    if (left === 0) break
    end = index + segment.length
    left -= 1
  }
  return text.slice(0, end)
}
