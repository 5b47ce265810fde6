import type { AbMetric } from '@carillon/contract/ab-tests'
import { formatMoney, formatPercent } from '../../../lib/format.ts'

type MetricText = {
  label: string
  /** What it is a share of. */
  help: string
  /** After a value: '12.4% clicked'. */
  after: string
}

export const metricTexts: Record<AbMetric, MetricText> = {
  delivered: {
    label: 'Delivered',
    help: 'Delivered messages as a share of the people in the test. The largest share wins.',
    after: 'delivered',
  },
  read: {
    label: 'Read',
    help: 'People who read the message, as a share of the people in the test. The largest share wins.',
    after: 'read',
  },
  clicked: {
    label: 'Clicked',
    help: 'People who clicked a tracked link, as a share of the people in the test. The largest share wins.',
    after: 'clicked',
  },
  replied: {
    label: 'Replied',
    help: 'People who replied, as a share of the people in the test. The largest share wins.',
    after: 'replied',
  },
  cost_per_reply: {
    label: 'Cost per reply',
    help: 'What the people with a message cost, divided by their replies. The lowest cost wins.',
    after: 'per reply',
  },
}

export const metrics: readonly AbMetric[] = ['delivered', 'read', 'clicked', 'replied', 'cost_per_reply']

export function formatMetric(metric: AbMetric, value: number): string {
  return metric === 'cost_per_reply' ? formatMoney(value) : formatPercent(value)
}

/** '12.4% clicked'. */
export function metricPhrase(metric: AbMetric, value: number): string {
  return `${formatMetric(metric, value)} ${metricTexts[metric].after}`
}
