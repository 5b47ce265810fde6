import { Metadata } from 'libphonenumber-js/max'

/** Part of the library's metadata that its types omit. */
type Plan = { type(name: 'FIXED_LINE' | 'MOBILE'): { pattern(): string } }

const firstPrefix = 60_000
const lastPrefix = 99_999
const unknown = 0
const mobile = 1
const landline = 2

/** Number kind by the first five digits, which determine it in India's numbering plan; filled on demand. */
const kinds = new Uint8Array(lastPrefix - firstPrefix + 1)
let patterns: { landline: RegExp; mobile: RegExp } | undefined

/** Whether ten digits that begin with 6 to 9 are a landline; some city codes, such as 80 and 612, are in that range too. */
export function isIndianLandline(nationalNumber: number): boolean {
  const prefix = Math.floor(nationalNumber / 100_000) - firstPrefix
  if (kinds[prefix] === unknown) kinds[prefix] = readKind(nationalNumber)
  return kinds[prefix] === landline
}

function readKind(nationalNumber: number): number {
  patterns ??= readPatterns()
  const digits = String(nationalNumber)
  return patterns.landline.test(digits) && !patterns.mobile.test(digits) ? landline : mobile
}

function readPatterns(): { landline: RegExp; mobile: RegExp } {
  const metadata = new Metadata()
  metadata.selectNumberingPlan('IN')
  // See `Plan`.
  const plan = metadata.numberingPlan as unknown as Plan
  const whole = (type: 'FIXED_LINE' | 'MOBILE') => new RegExp(`^(?:${plan.type(type).pattern()})$`)
  return { landline: whole('FIXED_LINE'), mobile: whole('MOBILE') }
}
