const mostRemembered = 10_000

/**
 * How often in a row each person's messages got the same code, because some pauses grow with it. Kept in memory only, for the
 * latest ten thousand people; for others the pause starts at its shortest again.
 */
export function createRepeats() {
  const seen = new Map<string, { code: number; count: number }>()

  return {
    before(person: string, code: number): number {
      const last = seen.get(person)
      return last?.code === code ? last.count : 0
    },
    note(person: string, code: number) {
      const last = seen.get(person)
      const count = last?.code === code ? last.count + 1 : 1
      // Re-inserted at the end: the first entry of the map is the least recently used.
      seen.delete(person)
      seen.set(person, { code, count })
      const [oldest] = seen.keys()
      if (seen.size > mostRemembered && oldest !== undefined) seen.delete(oldest)
    },
    forget(person: string) {
      seen.delete(person)
    },
  }
}
