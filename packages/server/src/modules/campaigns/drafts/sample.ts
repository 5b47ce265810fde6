/** A sample of many rows, spread evenly over all of them, in bounded memory. */
export type Sample = {
  add(seq: number): void
  size(): number
  /** At most this many, from the first to about the last. */
  spread(most: number): number[]
}

/** Fine enough to spread a few dozen evenly. */
const kept = 1024

/** Keeps every row, then every second, every fourth, as their number grows. */
export function createSample(): Sample {
  let seqs: number[] = []
  let stride = 1
  let size = 0
  return {
    add(seq) {
      if (size % stride === 0) seqs.push(seq)
      size += 1
      if (seqs.length < kept) return
      seqs = seqs.filter((_, index) => index % 2 === 0)
      stride *= 2
    },
    size: () => size,
    spread(most) {
      if (seqs.length <= most) return seqs
      const step = (seqs.length - 1) / (most - 1)
      return Array.from({ length: most }, (_, index) => seqs[Math.round(index * step)] ?? 0)
    },
  }
}
