import type { ReportDetails } from '@carillon/contract/report-file-records'
import { formatMoney, formatPhone } from '../../lib/format.ts'

type Unit = ReportDetails['columns'][number]['unit']

/** Units whose values are aligned at the right. */
const numbers: ReadonlySet<Unit> = new Set(['count', 'percent', 'rupees'])

export function isNumber(unit: Unit): boolean {
  return numbers.has(unit)
}

const plain = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })
const amount = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** A value below its column's title, which names the unit. */
export function formatCell(value: string | number, unit: Unit): string {
  if (typeof value === 'string') return unit === 'phone' ? formatPhone(value) : value
  return unit === 'rupees' ? amount.format(value) : plain.format(value)
}

/** A sum with its unit, and its label without. */
export function presentSum({ label, value, unit }: ReportDetails['summary'][number]): { label: string; value: string } {
  if (unit === 'rupees') return { label: label.replace(/ \(₹\)$/, ''), value: formatMoney(value) }
  return { label, value: formatCell(value, unit) }
}
