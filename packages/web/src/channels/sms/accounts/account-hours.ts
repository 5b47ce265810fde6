import { fatesOfSpan, sharesOf, sumFates } from '@carillon/contract/figures'
import type { AccountHour } from '@carillon/contract/senders'
import { countOf, formatCount, formatKnownShare, formatPercent, formatTime } from '../../../lib/format.ts'
import type { TrackerBar } from '../../../ui/charts/tracker.tsx'
import { notable, toneOf } from '../../parts/channel-health.ts'

export type AccountHealthLabels = {
  bars: readonly TrackerBar[]
  accepted: number
  /** Share among messages with a result or in progress; undefined without traffic. */
  delivered: number | undefined
  failed: number | undefined
  summary: string
}

/** Results of an SMS account in the last 24 hours. */
export function healthOfHours(hours: readonly AccountHour[]): AccountHealthLabels {
  const bars = hours.map(describe)
  const fates = sumFates(hours.map(fatesOfSpan))
  const shares = sharesOf(fates)
  const { submitted: accepted } = fates
  const notables = bars.filter(({ tone }) => tone === 'bad' || tone === 'care').length
  return {
    bars,
    accepted,
    delivered: shares?.delivered,
    failed: shares?.failed,
    summary: shares
      ? `${formatCount(accepted)} accepted in 24 hours, ${formatKnownShare(shares.delivered)} delivered, ${formatKnownShare(shares.failed)} failed; ${notables === 0 ? 'no hour' : countOf(notables, 'hour')} with more than ${formatPercent(notable)} failed`
      : 'no traffic in 24 hours',
  }
}

function describe(hour: AccountHour): TrackerBar {
  const shares = sharesOf(fatesOfSpan(hour))
  const name = `${formatTime(hour.at)} to ${formatTime(Date.parse(hour.at) + 3_600_000)}`
  const tone = toneOf(shares?.failed)
  if (!shares) return { key: hour.at, tone, title: `${name}: no traffic` }
  const { submitted, delivered, failed } = hour
  const title = `${name}: ${formatCount(submitted)} accepted, ${formatCount(delivered)} delivered, ${formatCount(failed)} failed`
  return { key: hour.at, tone, title }
}
