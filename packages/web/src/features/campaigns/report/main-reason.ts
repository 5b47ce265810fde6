type Reason = { title: string; failed: number }

/** Why messages failed, as far as one reason stands out: more than half of them, or the most frequent. A tie says nothing. */
export function mainReason(reasons: readonly Reason[], failed: number): string {
  const [first, second] = reasons.filter((reason) => reason.failed > 0).toSorted((a, b) => b.failed - a.failed)
  if (!first || first.failed === second?.failed) return ''
  if (!second) return `: ${first.title}`
  return first.failed > failed / 2 ? `, most of them: ${first.title}` : `, the most frequent reason: ${first.title}`
}
