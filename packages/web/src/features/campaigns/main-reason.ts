type Reason = { title: string; failed: number }

/** Why messages failed, as far as one reason stands out: more than half of them, or the most frequent. A tie says nothing. */
export function mainReason(reasons: readonly Reason[], failed: number): string {
  const [first, second] = reasons.filter((reason) => reason.failed > 0).toSorted((a, b) => b.failed - a.failed)
  if (!first || first.failed === second?.failed) return ''
  const reason = uncapitalised(first.title)
  if (!second) return `, because: ${reason}`
  return first.failed > failed / 2 ? `, most of them because: ${reason}` : `, the most frequent reason: ${reason}`
}

/** Names such as WhatsApp keep their capitals. */
function uncapitalised(title: string): string {
  return /^\p{Lu}\p{Ll}+\p{Lu}/u.test(title) ? title : `${title.charAt(0).toLowerCase()}${title.slice(1)}`
}
