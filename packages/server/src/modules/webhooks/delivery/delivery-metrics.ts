import { createCounter } from '../../../lib/metrics.ts'
import type { DeliveryResult } from './results.queries.ts'

const attempts = createCounter({
  name: 'carillon_webhook_attempts_total',
  help: 'Attempts to deliver webhooks, by outcome: delivered, failed with another attempt to come, dead with none',
  labelNames: ['outcome'],
})

const byOutcome = {
  delivered: attempts({ outcome: 'delivered' }),
  failed: attempts({ outcome: 'failed' }),
  dead: attempts({ outcome: 'dead' }),
}

export function countResult({ status }: Pick<DeliveryResult, 'status'>): void {
  byOutcome[status].count += 1
}
