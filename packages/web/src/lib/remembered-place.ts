let place: { address: string; username: string | undefined } | undefined
let name = ''

/** Where a person wanted to go, or was, before the login stood in the way; of interest to the named account only. */
export function rememberPlace(address: string, username?: string) {
  place = { address, username }
}

export function popRememberedPlace(username: string): string | undefined {
  const remembered = place
  place = undefined
  const isTheirs = remembered?.username === undefined || remembered.username === username
  return isTheirs ? remembered?.address : undefined
}

/** Who just made an account, or whose session ended, so that the login need not ask again. */
export function rememberName(known: string) {
  name = known
}

export function rememberedName(): string {
  return name
}
