import type { Problem } from '../../../lib/problem.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'

const byField: Readonly<Record<string, number>> = {
  to: statuses.invalidDestination,
  from: statuses.invalidSource,
  text: statuses.invalidLength,
  ttlSeconds: statuses.invalidExpiry,
  sendAt: statuses.invalidSchedule,
}

/** The command_status that says most of a problem. */
export function statusOf({ code, details }: Problem): number {
  if (code === 'too_many_requests') return statuses.throttled
  if (code === 'disk_full' || code === 'unavailable') return statuses.queueFull
  const field = details?.[0]?.field
  return (field !== undefined && byField[field]) || statuses.submitFailed
}
