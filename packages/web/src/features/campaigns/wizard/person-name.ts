import type { Audience } from '@carillon/contract/audience'
import { formatPhone } from '../../../lib/format.ts'

/** Label of a row: the person's name if there is one, else the number. */
export function personName(
  { columns }: Pick<Audience, 'columns'>,
  row: readonly string[],
  phoneNumber: string,
): string {
  return row[columns.findIndex((column) => /name/i.test(column))]?.trim() || formatPhone(phoneNumber)
}
