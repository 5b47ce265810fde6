let place: { address: string; username: string | undefined } | undefined
let name = ''

/** The location to return to after sign-in; only for the given account. */
export function rememberPlace(address: string, username?: string) {
  place = { address, username }
}

export function popRememberedPlace(username: string): string | undefined {
  const remembered = place
  place = undefined
  const isTheirs = remembered?.username === undefined || remembered.username === username
  return isTheirs ? remembered?.address : undefined
}

/** The login name to prefill after registration or an expired session. */
export function rememberName(known: string) {
  name = known
}

export function rememberedName(): string {
  return name
}
