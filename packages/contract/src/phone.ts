/** E.164 with plus sign, at most 15 digits. */
const e164 = /^\+[1-9]\d{6,14}$/

export function isE164(text: string): boolean {
  return e164.test(text)
}

/** Formats stored digits for display: +91 98765 43210. Indian numbers in two groups of five, others in groups of three. */
export function formatPhone(phone: string | number): string {
  const digits = String(phone).replace(/^\+/, '')
  const country = digits.slice(0, countryCodeLength(digits))
  const national = digits.slice(country.length)
  if (country === '91' && national.length === 10) return `+91 ${national.slice(0, 5)} ${national.slice(5)}`
  return `+${country} ${national.replaceAll(/(\d{3})(?=\d{2})/g, '$1 ')}`.trimEnd()
}

/** Country codes have one digit in two zones, two digits if listed here, three otherwise. */
const twoDigitCountries = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

function countryCodeLength(digits: string): number {
  if (/^[17]/.test(digits)) return 1
  return twoDigitCountries.test(digits) ? 2 : 3
}
