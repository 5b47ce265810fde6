import {
  isSupportedCountry,
  parsePhoneNumberWithError,
  ParseError,
  type CountryCode,
  type PhoneNumber,
} from 'libphonenumber-js/max'
import { isIndianLandline } from './indian-landlines.ts'
import { plainPhoneText } from './phone-text.ts'

/** Why a text is no phone number. */
export type PhoneProblem =
  | 'empty'
  | 'not_a_number'
  | 'too_short'
  | 'too_long'
  | 'invalid_country'
  | 'impossible'
  | 'scientific_notation'

/** Lines that cannot receive an SMS: fixed lines, and toll-free, premium and other service numbers. */
export type FixedLine = 'landline' | 'service_number'

/** E.164 digits as a number (15 digits fit exactly) and its country, or why there is none. */
export type PhoneReading = { phone: number; country: string; fixedLine?: FixedLine } | { problem: PhoneProblem }

/** Of numbers that belong to no country, as +800 and satellites. */
const nowhere = '001'

const problems: Record<string, PhoneProblem> = {
  NOT_A_NUMBER: 'not_a_number',
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  INVALID_COUNTRY: 'invalid_country',
  INVALID_LENGTH: 'impossible',
}

/** What a spreadsheet makes of a long number; the digits behind the point are lost, so it is refused, not guessed. */
const scientific = /^\d(?:[.,]\d+)?e[+-]?\d+$/i

/**
 * Reads phone numbers as people write them. Plain Indian mobiles, the bulk of every file here, take a path of their own;
 * everything else goes through libphonenumber, which is some thirty times slower. Without a
 * country that exists, only numbers that carry their own are read.
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

/** 98765 43210, 098765-43210, +91 98765 43210, 0091…, 91…: the number, or 0 when it is not clearly an Indian mobile. */
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
  // A plus sign stands for the two zeros that dial abroad.
  return judgeIndian(digits, hasPlus ? leadingZeros + 2 : leadingZeros, mayOmitCountry)
}

function judgeIndian(digits: number, zeros: number, mayOmitCountry: boolean): number {
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
  // 9890123456/78 are two numbers of India, the second one shortened, and none of Iran.
  return 'phone' in reading && reading.country !== country && text.includes('/') ? { problem: 'impossible' } : reading
}

/**
 * Digits alone may be a number of the default country, or carry their country without a plus. A wrong guess would message a
 * stranger, so each is believed only when it is valid, not merely possible, and the own country comes first:
 * 13812345678 is a mobile in China, though +1 381… could be dialled as well.
 */
function readWithoutPlus(digits: string, country: CountryCode | undefined): PhoneReading {
  const national = parse(digits, country)
  if (typeof national !== 'string' && national.isValid()) return present(national)
  const international = /^[1-9]\d{9,14}$/.test(digits) ? parse(`+${digits}`, country) : 'NOT_A_NUMBER'
  if (typeof international !== 'string' && international.isValid()) return present(international)
  const reading = judge(national, digits)
  return 'phone' in reading ? { problem: 'impossible' } : reading
}

/** With its country code a number need only be possible: new ranges are in use before the library knows them. */
function judge(number: PhoneNumber | string, digits: string): PhoneReading {
  if (typeof number === 'string') return { problem: problems[number] ?? 'not_a_number' }
  if (number.isPossible()) return present(number)
  if (digits.length > 15) return { problem: 'too_long' }
  return { problem: digits.length < 8 ? 'too_short' : 'impossible' }
}

/** Where several countries share a code and the number fits none of them yet, it counts as the first one's. */
function present(number: PhoneNumber): PhoneReading {
  const fixedLine = fixedLines[number.getType() ?? 'MOBILE']
  return {
    phone: Number(number.number.slice(1)),
    country: number.country ?? number.getPossibleCountries()[0] ?? nowhere,
    ...(fixedLine ? { fixedLine } : {}),
  }
}

/** By the library's types. Types that are missing here may be mobile, as numbers of North America. */
const fixedLines: Partial<Record<string, FixedLine>> = {
  FIXED_LINE: 'landline',
  TOLL_FREE: 'service_number',
  PREMIUM_RATE: 'service_number',
  SHARED_COST: 'service_number',
  UAN: 'service_number',
  VOICEMAIL: 'service_number',
  PAGER: 'service_number',
}

/** Whether its country's numbering plan has this number for mobiles; a number that is merely possible is not one. */
export function isPlannedMobile(phone: number): boolean {
  if (isIndianMobile(phone)) return !isIndianLandline(phone - 910_000_000_000)
  const number = parse(`+${phone}`, undefined)
  return typeof number !== 'string' && number.isValid() && mobileTypes.has(number.getType())
}

const mobileTypes = new Set<ReturnType<PhoneNumber['getType']>>(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

/** Whose number it is. */
export function countryOf(phone: number): string {
  if (isIndianMobile(phone)) return 'IN'
  const reading = readAny(`+${phone}`, undefined)
  return 'country' in reading ? reading.country : nowhere
}

/** The number, or the library's word for what is wrong with the text. */
function parse(text: string, defaultCountry: CountryCode | undefined): PhoneNumber | string {
  try {
    return parsePhoneNumberWithError(text, { ...(defaultCountry && { defaultCountry }), extract: false })
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
}
