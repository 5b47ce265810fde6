import { isPlannedMobile, type createPhoneReader } from '../../../lib/phone.ts'
import { plainPhoneText } from '../../../lib/phone-text.ts'

/** The number in a rejected cell, and why it could not be parsed. */
export type Suggestion = { phoneNumber: string; flaw: Flaw }
export type Flaw = 'letter_for_digit' | 'several_numbers' | 'text_around' | 'invisible_character'

type SuggestOptions = { readPhone: ReturnType<typeof createPhoneReader>; defaultCountry: string }

const longestCell = 100
const mostNumbers = 5

/** Control characters and other invisible characters. */
const invisible = /[\p{Cc}\u115f\u1160\u2800\u3164\uffa0]/gu
const lineEnds = /[\t\n\v\f\r]/g

/** O for 0, l and I for 1: only next to a digit, and never within a word. */
const misreadLetters = /(?<=\d)[OolI]+(?!\p{L})|(?<!\p{L})[OolI]+(?=\d)/gu
const mostMisread = 3
const digitRun = /[+( ]*\d[\d ().-]*/g
/** Trailing punctuation that belongs to the text after the number. */
const openEnd = /[ .(-]+$/
/** Allowed characters directly before or after a number; letters, @ and currency signs make it part of something else. */
const boundary = /^[\s:;,/|&[\](){}<>"'.-]?$/

/**
 * The only number a rejected cell can mean, or undefined. Digits are never added or dropped, and the result must be a mobile
 * number of the audience's country unless the cell names another country with a plus sign.
 */
export function suggestNumber(cell: string, options: SuggestOptions): Suggestion | undefined {
  if (cell.length > longestCell || !/\p{Nd}/u.test(cell)) return undefined
  // Line breaks and tabs separate numbers, so they are kept.
  const visible = cell.replaceAll(lineEnds, ' | ').replaceAll(invisible, '')
  const plain = plainPhoneText(visible)
  const text = readLetters(plain)
  const numbers = text === undefined ? [] : separateNumbers(text)
  const phoneNumber = readFirst(numbers, options)
  if (phoneNumber === undefined) return undefined
  if (numbers.length > 1) return { phoneNumber, flaw: 'several_numbers' }
  if (text !== plain) return { phoneNumber, flaw: 'letter_for_digit' }
  return { phoneNumber, flaw: numbers[0] === plain ? 'invisible_character' : 'text_around' }
}

/** The first number, if it is a mobile and all others are complete numbers. */
function readFirst([first, ...others]: string[], { readPhone, defaultCountry }: SuggestOptions): string | undefined {
  if (first === undefined) return undefined
  const reading = readPhone(first)
  if ('problem' in reading || !isPlannedMobile(reading.phone)) return undefined
  if (reading.country !== defaultCountry && !first.includes('+')) return undefined
  return others.every((other) => 'phone' in readPhone(other)) ? `+${reading.phone}` : undefined
}

/** Replaces misread letters with digits; undefined if there are so many that it may be a code. */
function readLetters(text: string): string | undefined {
  const letters = [...text.matchAll(misreadLetters)].reduce((count, [found]) => count + found.length, 0)
  if (letters > mostMisread) return undefined
  return text.replaceAll(misreadLetters, (found) => found.replaceAll(/[Oo]/g, '0').replaceAll(/[lI]/g, '1'))
}

/** All digit runs with their punctuation; none if a run is part of a word, an address or an amount. */
function separateNumbers(text: string): string[] {
  const runs = [...text.matchAll(digitRun)]
  if (runs.length > mostNumbers) return []
  const isSeparate = runs.every(({ 0: run, index }) => {
    const start = index + run.length - run.trimStart().length
    const end = index + run.replace(openEnd, '').length
    return boundary.test(text.charAt(start - 1)) && boundary.test(text.charAt(end))
  })
  return isSeparate ? runs.map(([run]) => trimSigns(run)) : []
}

/** Removes brackets that belong to the surrounding text. */
function trimSigns(run: string): string {
  const trimmed = run.trim().replace(openEnd, '')
  return trimmed.includes('(') ? trimmed : trimmed.replaceAll(')', '')
}
