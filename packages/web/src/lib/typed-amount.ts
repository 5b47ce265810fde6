/** Rupees as a person types them, with commas, spaces and the currency sign; undefined for anything else than whole paise. */
export function typedAmount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,₹]/g, '')
  return /^\d{1,10}(?:\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined
}
