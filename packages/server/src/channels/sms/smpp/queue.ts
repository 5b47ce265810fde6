/** A FIFO queue; further parts of started messages are put in front. */
export type Queue<Entry> = {
  add(entry: Entry): void
  addFirst(entries: readonly Entry[]): void
  take(): Entry | undefined
  takeAll(): Entry[]
  size(): number
}

/** Removing advances an index instead of shifting the array. */
export function createQueue<Entry>(): Queue<Entry> {
  let entries: Entry[] = []
  let taken = 0
  let urgent: Entry[] = []

  return {
    add: (entry) => entries.push(entry),
    addFirst: (more) => urgent.push(...more),
    size: () => urgent.length + entries.length - taken,
    takeAll() {
      const all = [...urgent, ...entries.slice(taken)]
      urgent = []
      entries = []
      taken = 0
      return all
    },
    take() {
      if (urgent.length > 0) return urgent.shift()
      if (taken === entries.length) return undefined
      const entry = entries[taken]
      taken += 1
      if (taken === entries.length) {
        entries = []
        taken = 0
      }
      return entry
    },
  }
}
