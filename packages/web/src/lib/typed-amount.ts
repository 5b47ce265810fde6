/** Parses typed rupees with commas, spaces and currency sign; undefined unless whole paise. */
export function typedAmount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,₹]/g, '')
  return /^\d{1,10}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined
}
