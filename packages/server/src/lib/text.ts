/** The first characters of a text, not one of them cut in half. Halves that it came with become replacement characters. */
export function truncate(text: string, maximum: number): string {
  const whole = text.slice(0, maximum).replace(/[\ud800-\udbff]$/, '')
  return whole.toWellFormed()
}

/** True for text that the database can store: whole characters, and no NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Line breaks and other control characters become spaces. */
export function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
