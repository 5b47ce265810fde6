type Reason = { title: string; failed: number }

/** The main failure reason: more than half of all, or the most frequent one. Empty on a tie. */
export function mainReason(reasons: readonly Reason[], failed: number): string {
  const [first, second] = reasons.filter((reason) => reason.failed > 0).toSorted((a, b) => b.failed - a.failed)
  if (!first || first.failed === second?.failed) return ''
  if (!second) return `: ${first.title}`
  return first.failed > failed / 2 ? `, most of them: ${first.title}` : `, the most frequent reason: ${first.title}`
}
