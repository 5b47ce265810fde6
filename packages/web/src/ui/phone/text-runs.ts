/** A range of a text with its own look or behaviour. */
export type Mark<Look> = { start: number; end: number; look: Look }

export type Run<Look> = { text: string; start: number; looks: Look[] }

/** Splits a text at the ends of all marks and at the given positions; each run lists the marks that cover it. */
export function cutRuns<Look>(text: string, marks: readonly Mark<Look>[], cuts: readonly number[] = []): Run<Look>[] {
  const places = new Set([0, text.length, ...cuts])
  for (const { start, end } of marks) {
    places.add(start)
    places.add(end)
  }
  const sorted = [...places].filter((place) => place >= 0 && place <= text.length).sort((a, b) => a - b)
  return sorted.slice(0, -1).map((start, index) => {
    const end = sorted[index + 1] ?? text.length
    const looks = marks.filter((mark) => mark.start <= start && mark.end >= end).map(({ look }) => look)
    return { text: text.slice(start, end), start, looks }
  })
}

const link =
  /(?:https?:\/\/|www\.)[^\s]+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|in|net|org|io|co|me|ly|link|example|app|store|shop)(?:\/[^\s]*)?/gi

/** Text ranges that phones turn into links. */
export function findLinks(text: string): { start: number; end: number }[] {
  return [...text.matchAll(link)].map((found) => {
    const end = found.index + found[0].replace(/[.,;:!?)]+$/, '').length
    return { start: found.index, end }
  })
}
