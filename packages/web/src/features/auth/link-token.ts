/** Letters of tokens in mailed links: of an invitation or a new password, and of a change of the email address. */
const letters = { account: 't', email: 'e' } as const

/** Reads the token of a link once and removes it from the address bar and the browser's history. */
export function readLinkToken(kind: keyof typeof letters): string | undefined {
  const place = new URL(window.location.href)
  const token = place.searchParams.get(letters[kind])
  if (token === null) return undefined
  place.searchParams.delete(letters[kind])
  window.history.replaceState(window.history.state, '', place)
  return token
}

export function isWhole(token: string | undefined): token is string {
  return token !== undefined && /^[0-9a-f]{64}$/.test(token)
}
