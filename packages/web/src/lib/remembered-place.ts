let place: string | undefined

/** Where a stranger wanted to go before the login stood in the way. */
export function rememberPlace(address: string) {
  place = address
}

export function takeRememberedPlace(): string | undefined {
  const remembered = place
  place = undefined
  return remembered
}
