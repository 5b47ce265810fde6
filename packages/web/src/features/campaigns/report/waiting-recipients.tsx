import type { Campaign } from '@carillon/contract/campaign-records'
import { shortWaitingText, waitingText } from '../../../lib/waiting-text.ts'

/** In a list row: recipients waiting because of WhatsApp's marketing limit, and until when; empty if there are none. */
export function WhoWaits({ waiting }: Pick<Campaign, 'waiting'>) {
  if (!waiting) return null
  return (
    <span
      className="block truncate text-caption leading-4 text-muted-foreground tabular-nums"
      title={waitingText(waiting)}
    >
      {shortWaitingText(waiting)}
    </span>
  )
}
