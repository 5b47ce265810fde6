import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import type { ReportDetails } from '@carillon/contract/report-file-records'
import { literal } from './report-span.ts'

export type ReportUnit = ReportDetails['columns'][number]['unit']

export type ReportColumn = {
  key: string
  title: string
  unit: ReportUnit
  /** An expression over the rows of the source. */
  value: string
  /** The summary adds it up. */
  isSummed?: true
}

export const text = (key: string, title: string, value: string): ReportColumn => ({ key, title, unit: 'text', value })
export const count = (key: string, title: string, value = key): ReportColumn => ({
  key,
  title,
  unit: 'count',
  value,
  isSummed: true,
})
export const rupees = (key: string, title: string, value: string): ReportColumn => ({
  key,
  title: `${title} (₹)`,
  unit: 'rupees',
  value: `trim_scale((${value}) / 10000.0)`,
  isSummed: true,
})
export const time = (
  key: string,
  title: string,
  { value, timezone }: { value: string; timezone: string },
): ReportColumn => ({
  key,
  title: `${title} (${timezone})`,
  unit: 'time',
  // Written as ISO dates are, by a connection that has set this style.
  value: `date_trunc('second', ${value} at time zone ${literal(timezone)})`,
})
export const day: ReportColumn = { key: 'day', title: 'Day', unit: 'day', value: 'day' }

/** An expression for the value of a key, which may be built at planning. */
export const lookUp = (entries: Record<string, string>, key: string) =>
  `(${literal(JSON.stringify(entries))}::jsonb ->> ${key})`

const channelLabels = Object.fromEntries(Channel.options.map((channel) => [channel, channelTraits[channel].label]))
export const channelLabel = lookUp(channelLabels, 'channel')

export const money = [
  rupees('charged', 'Charged', 'charged'),
  rupees('refunded', 'Refunded', 'charged - cost'),
  rupees('cost', 'Cost', 'cost'),
]

export const percent = (
  key: string,
  title: string,
  { part, whole }: Record<'part' | 'whole', string>,
): ReportColumn => ({
  key,
  title: `${title} (%)`,
  unit: 'percent',
  value: `trim_scale(round(100.0 * ${part} / nullif(${whole}, 0), 2))`,
})
