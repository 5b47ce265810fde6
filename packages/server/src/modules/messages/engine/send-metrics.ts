import type { Provider, RevokeOutcome, SendOutcome } from '../../../channels/provider.ts'
import { createCounter, createHistogram, type Tally } from '../../../lib/metrics.ts'

const sends = createCounter({
  name: 'carillon_sends_total',
  help: 'Messages handed over to a provider, by outcome: accepted, rejected, retry (refused for now), unknown (no response)',
  labelNames: ['channel', 'provider', 'outcome'],
})
const errors = createCounter({
  name: 'carillon_provider_errors_total',
  help: 'Messages that a provider did not accept, by class of error',
  labelNames: ['channel', 'provider', 'class'],
})
const durations = createHistogram({
  name: 'carillon_send_duration_seconds',
  help: 'Time from handing a message over until its outcome is known',
  labelNames: ['channel', 'provider'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})

const revocations = createCounter({
  name: 'carillon_revocations_total',
  help: 'Messages that a provider was asked to revoke, by outcome: requested (accepted, without proof), not_found (delivered already, or not known), retry, refused',
  labelNames: ['channel', 'provider', 'outcome'],
})

/** Counts the outcomes of one lane. */
export type SendMeter = {
  record(outcome: SendOutcome, ms: number): void
  recordRevocation(outcome: RevokeOutcome): void
}

export function createSendMeter({ channel, name: provider }: Pick<Provider<unknown>, 'channel' | 'name'>): SendMeter {
  const line = { channel, provider }
  const byOutcome: Record<SendOutcome['kind'], Tally> = {
    accepted: sends({ ...line, outcome: 'accepted' }),
    rejected: sends({ ...line, outcome: 'rejected' }),
    retry: sends({ ...line, outcome: 'retry' }),
    unknown: sends({ ...line, outcome: 'unknown' }),
  }
  const duration = durations(line)
  return {
    record(outcome, ms) {
      byOutcome[outcome.kind].count += 1
      duration.observe(ms / 1000)
      if (outcome.kind !== 'accepted') errors({ ...line, class: classOf(outcome) }).count += 1
    },
    recordRevocation: ({ kind }) => (revocations({ ...line, outcome: kind }).count += 1),
  }
}

function classOf(outcome: Exclude<SendOutcome, { kind: 'accepted' }>): string {
  return outcome.kind === 'unknown' ? 'no_response' : outcome.reason
}
