import type { ReachRange } from './reach.queries.ts'

/** The parts of the ranges without an answer, in batches of at most `size` recipients. `answered` is in ascending order. */
export function splitRanges(
  ranges: readonly ReachRange[],
  answered: readonly ReachRange[],
  size: number,
): ReachRange[] {
  return ranges.flatMap((range) => gapsIn(range, answered).flatMap((gap) => cut(gap, size)))
}

function gapsIn({ lo, hi }: ReachRange, answered: readonly ReachRange[]): ReachRange[] {
  const gaps: ReachRange[] = []
  let from = lo
  for (const known of answered) {
    if (known.hi <= from || known.lo >= hi) continue
    if (known.lo > from) gaps.push({ lo: from, hi: known.lo })
    from = known.hi
  }
  if (from < hi) gaps.push({ lo: from, hi })
  return gaps
}

function cut({ lo, hi }: ReachRange, size: number): ReachRange[] {
  const parts: ReachRange[] = []
  for (let from = lo; from < hi; from += size) parts.push({ lo: from, hi: Math.min(hi, from + size) })
  return parts
}
