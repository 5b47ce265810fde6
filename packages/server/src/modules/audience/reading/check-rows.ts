import type { RejectReason } from '@carillon/contract/audience'
import { truncate } from '@carillon/contract/text'
import { createPhoneReader, type FixedLine } from '../../../lib/phone.ts'
import { createPhoneSet } from './phone-set.ts'
import { suggestNumber, type Flaw, type Suggestion } from './suggest-number.ts'

/** Numbers that replace cells. */
export type Corrections = {
  /** Whether suggested numbers are used. */
  automatic: boolean
  /** By row number; each is valid, with country code. */
  typed: ReadonlyMap<number, string>
}

/** A cell, and the number used instead. */
export type AppliedCorrection = { value: string; phoneNumber: string; automatic: boolean }

export type CheckedRow =
  | { kind: 'accepted'; phone: number; country: string; values: string[]; correction?: AppliedCorrection }
  | { kind: 'invalid'; reason: RejectReason; value: string; suggestion?: Suggestion }
  | { kind: 'duplicate'; phone: number; firstRow: number; value: string; correction?: AppliedCorrection }

export type CheckOptions = {
  phoneColumn: number
  defaultCountry: string
  /** Whether landlines and service numbers are accepted. */
  acceptsLandlines: boolean
  width: number
  /** Absent if nothing is corrected or suggested. */
  corrections?: Corrections
}

const longestValue = 200
const apostrophe = 39

/** Validates rows one by one, and remembers accepted numbers to detect duplicates. */
export function createRowChecker({
  phoneColumn,
  defaultCountry,
  acceptsLandlines,
  width,
  corrections,
}: CheckOptions): (row: readonly string[], rowNumber: number) => CheckedRow {
  const readPhone = createPhoneReader(defaultCountry)
  const seen = createPhoneSet()

  function checkCell(row: readonly string[], rowNumber: number): CheckedRow {
    const value = disarm(row[phoneColumn] ?? '')
    const read = readPhone(value)
    if ('problem' in read) return { kind: 'invalid', reason: read.problem, value }
    if (read.fixedLine && !acceptsLandlines) return { kind: 'invalid', reason: read.fixedLine, value }
    const firstRow = seen.remember(read.phone, rowNumber)
    if (firstRow > 0) return { kind: 'duplicate', phone: read.phone, firstRow, value }
    return { kind: 'accepted', phone: read.phone, country: read.country, values: valuesOf(row, width) }
  }

  function replaceCell(row: readonly string[], rowNumber: number, correction: AppliedCorrection): CheckedRow {
    const replaced = [...row]
    replaced[phoneColumn] = correction.phoneNumber
    const checked = checkCell(replaced, rowNumber)
    return checked.kind === 'invalid' ? checked : { ...checked, correction }
  }

  if (!corrections) return checkCell
  const { automatic, typed } = corrections
  return (row, rowNumber) => {
    const value = row[phoneColumn] ?? ''
    const phoneNumber = typed.size === 0 ? undefined : typed.get(rowNumber)
    if (phoneNumber !== undefined) return replaceCell(row, rowNumber, { value, phoneNumber, automatic: false })
    const checked = checkCell(row, rowNumber)
    if (checked.kind !== 'invalid') return checked
    const suggestion = suggestNumber(checked.value, { readPhone, defaultCountry })
    if (!suggestion) return checked
    if (!automatic) return { ...checked, suggestion }
    return replaceCell(row, rowNumber, { value, phoneNumber: suggestion.phoneNumber, automatic })
  }
}

/** One trimmed and truncated cell per column, used for variables. */
function valuesOf(row: readonly string[], width: number): string[] {
  const values: string[] = []
  for (let column = 0; column < width; column += 1) {
    values.push(truncate(disarm(row[column] ?? '').trim(), longestValue))
  }
  return values
}

/** Removes the apostrophe that exports put before formulas. */
function disarm(cell: string): string {
  return cell.charCodeAt(0) === apostrophe && /^'[=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell
}

const sentences: Record<Exclude<RejectReason, FixedLine>, string> = {
  empty: 'This row has no number',
  not_a_number: 'This is not a phone number',
  too_short: 'The number is too short',
  too_long: 'The number is too long',
  invalid_country: 'No country has this code',
  impossible: 'No number of this country has this form',
  scientific_notation: 'The spreadsheet has shortened this number and lost its last digits: format the column as text',
  duplicate: 'Duplicate of an earlier row',
  opted_out: 'This person opted out',
}

const flaws: Record<Flaw, string> = {
  letter_for_digit: 'Letter in place of a digit',
  several_numbers: 'More than one number',
  text_around: 'Text beside the number',
  invisible_character: 'Invisible character in the number',
}

const mobileDigits = 10

/** The problem of a cell as text; more specific than its reason if possible. */
export function explainInvalid(
  { reason, value, suggestion }: InvalidRow,
  { defaultCountry, messages }: { defaultCountry: string; messages: string },
): string {
  if (suggestion) return flaws[suggestion.flaw]
  const digits = value.replaceAll(/[\s-]/g, '')
  if (defaultCountry === 'IN' && digits.length < mobileDigits && /^\d+$/.test(digits))
    return `${digits.length} ${digits.length === 1 ? 'digit' : 'digits'}, a mobile has ${mobileDigits}`
  return explainReject(reason, messages)
}

type InvalidRow = Extract<CheckedRow, { kind: 'invalid' }>

/** The reason of a rejected row as text. `messages`: what is sent, as its channel is called. */
export function explainReject(reason: RejectReason, messages: string): string {
  if (reason === 'landline') return `This is a landline, which cannot receive ${messages}`
  if (reason === 'service_number') return `This is a toll-free or service number, which cannot receive ${messages}`
  return sentences[reason]
}
