/** Any of these in a URL, decoded and lower-cased, redirects to the login page. */
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

/** Whether a path with its query may be opened. */
export function isSafeAddress(address: string): boolean {
  const text = decode(address).toLowerCase()
  return !suspicious.some((pattern) => pattern.test(text))
}

function decode(address: string): string {
  const spaced = address.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Stray percent sign: decode the rest, so that it cannot be hidden.
    return spaced.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
      try {
        return decodeURIComponent(escaped)
      } catch {
        return escaped
      }
    })
  }
}
