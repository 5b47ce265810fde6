let place: string | undefined
let name = ''

/** Where a stranger wanted to go before the login stood in the way. */
export function rememberPlace(address: string) {
  place = address
}

export function takeRememberedPlace(): string | undefined {
  const remembered = place
  place = undefined
  return remembered
}

/** Who just made an account, so that the login need not ask again. */
export function rememberName(made: string) {
  name = made
}

export function rememberedName(): string {
  return name
}
