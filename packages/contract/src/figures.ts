import type { MessageStatus } from './campaign-records.ts'

/** Counts per status: of a campaign's recipients by their last message, or of the messages of a period. */
export type Fates = {
  submitted: number
  sent: number
  delivered: number
  read: number
  failed: number
  unconfirmed: number
  /** Response lost, not given up yet. If absent, included in `unconfirmed`. */
  unknown?: number
}

const noFates: Fates = { submitted: 0, sent: 0, delivered: 0, read: 0, failed: 0, unconfirmed: 0 }

/** The sum over campaigns, channels or periods whose `unconfirmed` includes `unknown`. */
export function sumFates(all: readonly Fates[]): Fates {
  return all.reduce(
    (sum, one) => ({
      submitted: sum.submitted + one.submitted,
      sent: sum.sent + one.sent,
      delivered: sum.delivered + one.delivered,
      read: sum.read + one.read,
      failed: sum.failed + one.failed,
      unconfirmed: sum.unconfirmed + one.unconfirmed,
    }),
    noFates,
  )
}

/** The counts of a period, whose `delivered` already includes read. */
export function fatesOfSpan({
  submitted,
  sent,
  delivered,
  failed,
  unconfirmed,
}: Omit<Fates, 'read' | 'unknown'>): Fates {
  return { submitted, sent, delivered, read: 0, failed, unconfirmed }
}

/** The counts shown on screens, in sentences and in files. No other code adds up statuses. */
export type Figures = {
  /** Attempted: the denominator of every share, and the sum of delivered, failed, in flight and unconfirmed. */
  tried: number
  /** Accepted by the provider, whatever the current status. */
  sent: number
  /** Delivered, including read. */
  delivered: number
  read: number
  /** Rejected, or not delivered. */
  failed: number
  /** Accepted by the provider, without a final delivery report. */
  inFlight: number
  /** The provider's response was lost. */
  unconfirmed: number
}

export function figuresOf(fates: Fates): Figures {
  const delivered = fates.delivered + fates.read
  // In a period, messages sent earlier can end in it, which would make this negative.
  const inFlight = Math.max(0, fates.sent)
  const unconfirmed = Math.max(0, fates.unconfirmed + (fates.unknown ?? 0))
  const { submitted: sent, read, failed } = fates
  return { tried: delivered + failed + inFlight + unconfirmed, sent, delivered, read, failed, inFlight, unconfirmed }
}

export type Shares = Record<'delivered' | 'read' | 'failed' | 'inFlight' | 'unconfirmed', number>

const wholeInTenths = 1000

/**
 * The shares of the statuses, 0 to 1, rounded to 0.1 % so that delivered, failed, in flight and unconfirmed add up to 1. Undefined if nothing was
 * tried.
 */
export function sharesOf(fates: Fates): Shares | undefined {
  const { tried, delivered, read, failed, inFlight, unconfirmed } = figuresOf(fates)
  if (tried === 0) return undefined
  const exact = Object.entries({ delivered, failed, inFlight, unconfirmed }).map(([name, count]) => {
    const tenths = (count / tried) * wholeInTenths
    return { name, floor: Math.floor(tenths), rest: tenths - Math.floor(tenths) }
  })
  const missing = wholeInTenths - exact.reduce((sum, { floor }) => sum + floor, 0)
  const raised = new Set(exact.toSorted((a, b) => b.rest - a.rest).slice(0, missing))
  const share = (wanted: string) => {
    const found = exact.find(({ name }) => name === wanted)
    return found ? (found.floor + (raised.has(found) ? 1 : 0)) / wholeInTenths : 0
  }
  return {
    delivered: share('delivered'),
    read: Math.min(share('delivered'), Math.round((read / tried) * wholeInTenths) / wholeInTenths),
    failed: share('failed'),
    inFlight: share('inFlight'),
    unconfirmed: share('unconfirmed'),
  }
}

/** Labels of message statuses. `unknown` and `unconfirmed` share one: the response was lost in both. */
export const fateLabels: Record<MessageStatus, string> = {
  queued: 'Queued',
  skipped: 'Skipped',
  cancelled: 'Cancelled',
  unknown: 'Unconfirmed',
  unconfirmed: 'Unconfirmed',
  sent: 'In flight',
  failed: 'Failed',
  delivered: 'Delivered',
  read: 'Read',
}
