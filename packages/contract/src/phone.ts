/** E.164 with its plus sign, at most 15 digits. */
const e164 = /^\+[1-9]\d{6,14}$/

export function isE164(text: string): boolean {
  return e164.test(text)
}

/** The stored digits of a number, as people read them: +91 98765 43210. Indian numbers in two fives, others in groups of three. */
export function formatPhone(phone: string | number): string {
  const digits = String(phone).replace(/^\+/, '')
  if (/^91\d{10}$/.test(digits)) return `+91 ${digits.slice(2, 7)} ${digits.slice(7)}`
  if (/^1\d{10}$/.test(digits)) return `+1 ${digits.slice(1, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`
  const head = digits.length > 10 ? digits.length - 10 : 2
  return `+${digits.slice(0, head)} ${digits.slice(head).replaceAll(/(\d{3})(?=\d{2})/g, '$1 ')}`.trim()
}
