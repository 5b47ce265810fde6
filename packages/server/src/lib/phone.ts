import { parsePhoneNumberWithError, ParseError, type CountryCode } from 'libphonenumber-js/max'

/** Why a text is no phone number. */
export type PhoneProblem = 'empty' | 'not_a_number' | 'too_short' | 'too_long' | 'invalid_country' | 'impossible' | 'scientific_notation'

/** E.164 digits as a number (15 digits fit exactly), or why there is none. */
export type PhoneReading = { phone: number } | { problem: PhoneProblem }

const problems: Record<string, PhoneProblem> = { NOT_A_NUMBER: 'not_a_number', TOO_SHORT: 'too_short', TOO_LONG: 'too_long', INVALID_COUNTRY: 'invalid_country', INVALID_LENGTH: 'impossible' }

/** What a spreadsheet makes of a long number; the digits behind the point are lost, so it is refused, not guessed. */
const scientific = /^\s*\d(?:[.,]\d+)?e[+-]?\d+\s*$/i

/**
 * Reads phone numbers as people write them. Plain Indian mobiles, the bulk of every file here, take a path of their own;
 * everything else goes through libphonenumber, which is some thirty times slower.
 */
export function createPhoneReader(defaultCountry: string): (text: string) => PhoneReading {
  const isIndian = defaultCountry === 'IN'
  return (text) => {
    const quick = readIndianMobile(text, isIndian)
    if (quick > 0) return { phone: quick }
    return readAny(text, defaultCountry as CountryCode)
  }
}

/** 98765 43210, 098765-43210, +91 98765 43210, 0091…, 91…: the number, or 0 when it is not clearly an Indian mobile. */
function readIndianMobile(text: string, mayOmitCountry: boolean): number {
  let digits = 0
  let count = 0
  let leadingZeros = 0
  let hasPlus = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 48 && code <= 57) {
      if (code === 48 && count === 0) leadingZeros += 1
      else {
        digits = digits * 10 + (code - 48)
        count += 1
      }
    } else if (code === 43 && count === 0 && leadingZeros === 0 && !hasPlus) hasPlus = true
    else if (code !== 32 && code !== 45) return 0
    if (count > 12) return 0
  }
  return judgeIndian({ digits, count, leadingZeros, hasPlus, mayOmitCountry })
}

type Digits = { digits: number; count: number; leadingZeros: number; hasPlus: boolean; mayOmitCountry: boolean }

function judgeIndian({ digits, count, leadingZeros, hasPlus, mayOmitCountry }: Digits): number {
  const isInternational = count === 12 && digits >= 916_000_000_000 && digits < 920_000_000_000
  if (isInternational) return (hasPlus ? leadingZeros === 0 : leadingZeros === 2 || (leadingZeros === 0 && mayOmitCountry)) ? digits : 0
  const isNational = mayOmitCountry && !hasPlus && leadingZeros <= 1 && count === 10 && digits >= 6_000_000_000
  return isNational ? 910_000_000_000 + digits : 0
}

function readAny(raw: string, defaultCountry: CountryCode): PhoneReading {
  const text = raw.trim()
  if (text === '') return { problem: 'empty' }
  if (scientific.test(text)) return { problem: 'scientific_notation' }
  if (!/^[+\d\s().\-\u00a0/]+$/.test(text)) return { problem: 'not_a_number' }
  const digits = text.replaceAll(/[^+\d]/g, '')
  if (digits.length > 17) return { problem: 'too_long' }
  try {
    const number = parsePhoneNumberWithError(withPlus(digits), { defaultCountry, extract: false })
    if (number.isPossible()) return { phone: Number(number.number.slice(1)) }
    return { problem: digits.length > 15 ? 'too_long' : digits.length < 7 ? 'too_short' : 'impossible' }
  } catch (error) {
    if (error instanceof ParseError) return { problem: problems[error.message] ?? 'not_a_number' }
    throw error
  }
}

/** 00 is how much of the world dials abroad; long plain digits already carry their country. */
function withPlus(text: string): string {
  if (/^00[1-9]/.test(text)) return `+${text.slice(2)}`
  return /^[1-9]\d{10,14}$/.test(text) ? `+${text}` : text
}
