/** The token of a link, read once: it leaves the address bar, so that nobody reads it over a shoulder or in a history. */
export function takeLinkToken(): string | undefined {
  const place = new URL(window.location.href)
  const token = place.searchParams.get('t')
  if (token === null) return undefined
  place.searchParams.delete('t')
  window.history.replaceState(window.history.state, '', place)
  return token
}

export function isWhole(token: string | undefined): token is string {
  return token !== undefined && /^[0-9a-f]{64}$/.test(token)
}
