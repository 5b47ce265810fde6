import type { ReportMatch } from '../../../channels/provider.ts'

/** The last digits of a phone number: all of an international one, fewer of a national one. */
export type PhoneDigits = { digits: number; modulus: number }

const fewest = 7
const most = 15

/** Undefined if it is not a phone number: empty, a header, a short code. */
function digitsOf(address: string): PhoneDigits | undefined {
  if (!/^\+?[\d\s()./-]+$/.test(address)) return undefined
  const digits = address.replaceAll(/\D/g, '').replace(/^0+/, '')
  if (digits.length < fewest || digits.length > most) return undefined
  return { digits: Number(digits), modulus: 10 ** digits.length }
}

/** The numbers of a report, at most two. */
export function numbersOf(match: ReportMatch | undefined): PhoneDigits[] {
  return match ? match.numbers.flatMap((address) => digitsOf(address) ?? []).slice(0, 2) : []
}
