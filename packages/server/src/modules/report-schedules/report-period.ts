import { lastRun, type RunRule } from '@carillon/contract/run-times'
import { localDay } from '../../lib/local-time.ts'

const dayMs = 86_400_000
const before = (day: string) => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10)

/**
 * The days of the report of a run: from the day of the run before to the day before this run, in the time zone of the
 * organization. So the reports of successive runs have every day once.
 */
export function periodOf(rule: RunRule, dueAt: Date, organizationZone: string): { from: string; to: string } {
  const previous = lastRun(rule, new Date(dueAt.getTime() - 1))
  const to = before(localDay(dueAt, organizationZone))
  const from = localDay(previous, organizationZone)
  // Two runs are on one day there, because their time zone changes its offset.
  return { from: from < to ? from : to, to }
}
