/** Anything of this in an address, decoded and in lower case, sends its visitor to the login page. */
const suspicious = [
  /<\s*\/?\s*script/,
  /javascript:/,
  /onerror\s*=/,
  /onload\s*=/,
  /select|drop|union|insert|update|delete|truncate/,
  /['"]/,
  /--/,
  /;/,
  /\/\*|\*\/|<!/,
  /\.\.[/\\]/,
]

/** Whether a path with its query may be opened at all. */
export function isSafeAddress(address: string): boolean {
  const text = decode(address).toLowerCase()
  return !suspicious.some((pattern) => pattern.test(text))
}

function decode(address: string): string {
  const spaced = address.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // A stray percent sign: decode what can be decoded, so that it does not hide the rest.
    return spaced.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
      try {
        return decodeURIComponent(escaped)
      } catch {
        return escaped
      }
    })
  }
}
