import type { Audience } from '@carillon/contract/audience'
import { formatPhone } from '../../../lib/format.ts'

/** Of a row of the file: a name where there is one, else the number. */
export function personName(
  { columns }: Pick<Audience, 'columns'>,
  row: readonly string[],
  phoneNumber: string,
): string {
  return row[columns.findIndex((column) => /name/i.test(column))]?.trim() || formatPhone(phoneNumber)
}
