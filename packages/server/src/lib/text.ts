/** Replaces line breaks and other control characters with spaces. */
export function singleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
