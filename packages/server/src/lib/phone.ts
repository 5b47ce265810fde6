import {
  isSupportedCountry,
  parsePhoneNumberWithError,
  ParseError,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max'
import { isIndianLandline } from './indian-landlines.ts'
import { plainPhoneText } from './phone-text.ts'

/** Why a text is not a phone number. */
export type PhoneProblem =
  | 'empty'
  | 'not_a_number'
  | 'too_short'
  | 'too_long'
  | 'invalid_country'
  | 'impossible'
  | 'scientific_notation'

/** Numbers that not every channel reaches: landlines, and toll-free, premium and other service numbers. */
export type FixedLine = 'landline' | 'service_number'

/** E.164 digits as a number (15 digits are exact) with the country, or the problem. */
export type PhoneReading = { phone: number; country: string; fixedLine?: FixedLine } | { problem: PhoneProblem }

/** Country of numbers without one, such as +800 and satellite numbers. */
const nowhere = '001'

const problems: Record<string, PhoneProblem> = {
  NOT_A_NUMBER: 'not_a_number',
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  INVALID_COUNTRY: 'invalid_country',
  INVALID_LENGTH: 'impossible',
}

/** Scientific notation of a spreadsheet. The last digits are lost, so it is rejected. */
const scientific = /^\d(?:[.,]\d+)?e[+-]?\d+$/i

/**
 * Parses phone numbers. Plain Indian mobile numbers, the majority in files, use a fast path; everything else uses
 * libphonenumber, which is about thirty times slower. Without a valid default country, only numbers with a country code are
 * accepted.
 */
export function createPhoneReader(defaultCountry: string): (text: string) => PhoneReading {
  const country = isSupportedCountry(defaultCountry) ? defaultCountry : undefined
  const mayOmitCountry = country === 'IN'
  return (text) => {
    const quick = readIndianMobile(text, mayOmitCountry)
    if (quick === 0) return readAny(text, country)
    return isIndianLandline(quick - 910_000_000_000)
      ? { phone: quick, country: 'IN', fixedLine: 'landline' }
      : { phone: quick, country: 'IN' }
  }
}

const plus = 43
const space = 32
const hyphen = 45

/** 98765 43210, 098765-43210, +91 98765 43210, 0091…, 91…: the number, or 0 if it is not clearly an Indian mobile number. */
function readIndianMobile(text: string, mayOmitCountry: boolean): number {
  const hasPlus = text.charCodeAt(0) === plus
  let digits = 0
  let leadingZeros = 0
  for (let index = hasPlus ? 1 : 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 48 && code <= 57) {
      digits = digits * 10 + (code - 48)
      if (digits === 0) leadingZeros += 1
      if (digits >= 1_000_000_000_000) return 0
    } else if (code !== space && code !== hyphen) return 0
  }
  // A plus sign is equivalent to the prefix 00.
  return matchIndian(digits, hasPlus ? leadingZeros + 2 : leadingZeros, mayOmitCountry)
}

function matchIndian(digits: number, zeros: number, mayOmitCountry: boolean): number {
  if (zeros < 2) return mayOmitCountry ? completeIndian(digits) : 0
  return zeros === 2 && isIndianMobile(digits) ? digits : 0
}

function completeIndian(digits: number): number {
  if (isIndianMobile(digits)) return digits
  return digits >= 6_000_000_000 && digits < 10_000_000_000 ? 910_000_000_000 + digits : 0
}

/** 91 and ten digits that begin with 6 to 9. */
function isIndianMobile(digits: number): boolean {
  return digits >= 916_000_000_000 && digits < 920_000_000_000
}

function readAny(raw: string, country: CountryCode | undefined): PhoneReading {
  const text = plainPhoneText(raw)
  if (text === '') return { problem: 'empty' }
  if (scientific.test(text)) return { problem: 'scientific_notation' }
  if (!/^[\s(]*\+?[\d\s().\-/]+$/.test(text)) return { problem: 'not_a_number' }
  const digits = text.replaceAll(/\D/g, '')
  if (digits.length > 17) return { problem: 'too_long' }
  if (text.includes('+')) return judge(parse(`+${digits}`, country), digits)
  if (/^00[1-9]/.test(digits)) return judge(parse(`+${digits.slice(2)}`, country), digits)
  const reading = readWithoutPlus(digits, country)
  // 9890123456/78 is two Indian numbers, the second one abbreviated, not one of Iran.
  return 'phone' in reading && reading.country !== country && text.includes('/') ? { problem: 'impossible' } : reading
}

/**
 * Digits without a plus may be a national number, or include a country code. A wrong guess would message a stranger, so each
 * reading must be valid, not merely possible, and the default country comes first: 13812345678 is a mobile number in China,
 * although +1 381… is possible too.
 */
function readWithoutPlus(digits: string, country: CountryCode | undefined): PhoneReading {
  const national = parse(digits, country)
  if (typeof national !== 'string' && national.isValid()) return present(national)
  const international = /^[1-9]\d{9,14}$/.test(digits) ? parse(`+${digits}`, country) : 'NOT_A_NUMBER'
  if (typeof international !== 'string' && international.isValid()) return present(international)
  const reading = judge(national, digits)
  return 'phone' in reading ? { problem: 'impossible' } : reading
}

/** A number with its country code need only be possible: new ranges are in use before the library knows them. */
function judge(number: PhoneNumber | string, digits: string): PhoneReading {
  if (typeof number === 'string') return { problem: problems[number] ?? 'not_a_number' }
  if (number.isPossible()) return present(number)
  if (digits.length > 15) return { problem: 'too_long' }
  return { problem: digits.length < 8 ? 'too_short' : 'impossible' }
}

/** If several countries share a code and the number matches none of them, it counts as the first one's. */
function present(number: PhoneNumber): PhoneReading {
  const fixedLine = fixedLines[number.getType() ?? 'MOBILE']
  return {
    phone: Number(number.number.slice(1)),
    country: number.country ?? number.getPossibleCountries()[0] ?? nowhere,
    ...(fixedLine ? { fixedLine } : {}),
  }
}

/** By the library's types. Types not listed may be mobile, as in North America. */
const fixedLines: Partial<Record<string, FixedLine>> = {
  FIXED_LINE: 'landline',
  TOLL_FREE: 'service_number',
  PREMIUM_RATE: 'service_number',
  SHARED_COST: 'service_number',
  UAN: 'service_number',
  VOICEMAIL: 'service_number',
  PAGER: 'service_number',
}

/** Whether the numbering plan assigns this number to mobiles; merely possible numbers do not count. */
export function isPlannedMobile(phone: number): boolean {
  if (isIndianMobile(phone)) return !isIndianLandline(phone - 910_000_000_000)
  const number = parse(`+${phone}`, undefined)
  return typeof number !== 'string' && number.isValid() && mobileTypes.has(number.getType())
}

const mobileTypes = new Set<ReturnType<PhoneNumber['getType']>>(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

/** The country of a number. */
export function countryOf(phone: number): string {
  if (isIndianMobile(phone)) return 'IN'
  const reading = readAny(`+${phone}`, undefined)
  return 'country' in reading ? reading.country : nowhere
}

/** The calling code of a number's country, such as 91; empty if it has none. */
export function callingCodeOf(phone: number): string {
  if (isIndianMobile(phone)) return '91'
  const number = parse(`+${phone}`, undefined)
  return typeof number === 'string' ? '' : number.countryCallingCode
}

/** The parsed number, or the library's error code. */
function parse(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | string {
  try {
    return parsePhoneNumberWithError(text, { ...(defaultCountry && { defaultCountry }), extract: false })
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
}
