/** Some of many rows, spread evenly over all of them, without keeping them all. */
export type Sample = {
  add(seq: number): void
  size(): number
  /** At most so many, from the first to about the last. */
  spread(most: number): number[]
}

/** Fine enough that the spread over a few dozen is even. */
const kept = 1024

/** Keeps every row, then every second, every fourth, as they grow too many. */
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
