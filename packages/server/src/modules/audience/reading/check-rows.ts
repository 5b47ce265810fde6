import type { RejectReason } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { truncate } from '@carillon/contract/text'
import { createPhoneReader } from '../../../lib/phone.ts'
import { createPhoneSet } from './phone-set.ts'

export type CheckedRow =
  | { kind: 'accepted'; phone: number; country: string; values: string[] }
  | { kind: 'invalid'; reason: RejectReason; value: string }
  | { kind: 'duplicate'; phone: number; firstRow: number; value: string }

export type CheckOptions = {
  phoneColumn: number
  defaultCountry: string
  channel: Channel
  width: number
}

const longestValue = 200
const apostrophe = 39

/** Decides the fate of one row after the other; remembers every number it accepted. */
export function createRowChecker({
  phoneColumn,
  defaultCountry,
  channel,
  width,
}: CheckOptions): (row: readonly string[], rowNumber: number) => CheckedRow {
  const readPhone = createPhoneReader(defaultCountry)
  const seen = createPhoneSet()
  return (row, rowNumber) => {
    const value = disarm(row[phoneColumn] ?? '')
    const read = readPhone(value)
    if ('problem' in read) return { kind: 'invalid', reason: read.problem, value }
    if (read.fixedLine && channel === 'sms') return { kind: 'invalid', reason: read.fixedLine, value }
    const firstRow = seen.remember(read.phone, rowNumber)
    if (firstRow > 0) return { kind: 'duplicate', phone: read.phone, firstRow, value }
    return { kind: 'accepted', phone: read.phone, country: read.country, values: valuesOf(row, width) }
  }
}

/** A cell for each column of the header, bounded and trimmed: what variables are filled from. */
function valuesOf(row: readonly string[], width: number): string[] {
  const values: string[] = []
  for (let column = 0; column < width; column += 1) {
    values.push(truncate(disarm(row[column] ?? '').trim(), longestValue))
  }
  return values
}

/** Exports disarm formulas with an apostrophe; it is taken off again when such a file comes back. */
function disarm(cell: string): string {
  return cell.charCodeAt(0) === apostrophe && /^'[=+\-@\t\r\0]/.test(cell) ? cell.slice(1) : cell
}

const sentences: Record<RejectReason, string> = {
  empty: 'There is no number in this row',
  not_a_number: 'This is not a phone number',
  too_short: 'The number is too short',
  too_long: 'The number is too long',
  invalid_country: 'No country has this code',
  impossible: 'No number of this country looks like this',
  scientific_notation: 'The spreadsheet has shortened this number and lost its last digits: format the column as text',
  landline: 'This is a landline, which cannot receive SMS',
  service_number: 'This is a toll-free or service number, which cannot receive SMS',
  duplicate: 'Duplicate of an earlier row',
  opted_out: 'This person opted out',
}

/** Why a row was not accepted, for a person. */
export function explainReject(reason: RejectReason): string {
  return sentences[reason]
}
