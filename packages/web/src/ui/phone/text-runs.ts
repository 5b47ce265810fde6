/** A stretch of a text that looks or behaves differently. */
export type Mark<Look> = { start: number; end: number; look: Look }

export type Run<Look> = { text: string; start: number; looks: Look[] }

/** Cuts a text where any mark begins or ends, and at the given places; each run knows the marks that cover it. */
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

/** Where phones make a link of a text by themselves. */
export function findLinks(text: string): { start: number; end: number }[] {
  return [...text.matchAll(link)].map((found) => {
    const end = found.index + found[0].replace(/[.,;:!?)]+$/, '').length
    return { start: found.index, end }
  })
}
