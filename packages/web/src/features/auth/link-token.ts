/** Reads the token of a link once and removes it from the address bar and the browser's history. */
export function readLinkToken(parameter: 't' | 'e' = 't'): string | undefined {
  const place = new URL(window.location.href)
  const token = place.searchParams.get(parameter)
  if (token === null) return undefined
  place.searchParams.delete(parameter)
  window.history.replaceState(window.history.state, '', place)
  return token
}

export function isWhole(token: string | undefined): token is string {
  return token !== undefined && /^[0-9a-f]{64}$/.test(token)
}
