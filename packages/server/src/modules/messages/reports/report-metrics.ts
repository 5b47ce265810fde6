import { createCounter } from '../../../lib/metrics.ts'

const reports = createCounter({
  name: 'carillon_delivery_reports_total',
  help: 'Delivery reports by result: matched, early (waits for its message, counted again when that ends), unmatched (given up), conflicting (contradicts the learned form of ids, or names another number)',
  labelNames: ['result'],
})

const tallies = {
  matched: reports({ result: 'matched' }),
  early: reports({ result: 'early' }),
  unmatched: reports({ result: 'unmatched' }),
  conflicting: reports({ result: 'conflicting' }),
}

export type ReportCounts = Record<keyof typeof tallies, number>

/** Call after the commit, so that a retried transaction counts once. */
export function countReports(counts: Partial<ReportCounts>): void {
  tallies.matched.count += counts.matched ?? 0
  tallies.early.count += counts.early ?? 0
  tallies.unmatched.count += counts.unmatched ?? 0
  tallies.conflicting.count += counts.conflicting ?? 0
}
