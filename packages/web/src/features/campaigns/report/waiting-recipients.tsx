import type { Campaign } from '@carillon/contract/campaign-records'
import { channelTraits } from '@carillon/contract/channels/table'
import { shortWaitingText, waitingText } from '../../../lib/waiting-text.ts'

/** In a list row: recipients waiting because of the channel's marketing limit, and until when; empty if there are none. */
export function WhoWaits({ waiting, channel }: Pick<Campaign, 'waiting' | 'channel'>) {
  if (!waiting) return null
  return (
    <span
      className="block truncate text-caption leading-4 text-muted-foreground tabular-nums"
      title={waitingText(waiting, channelTraits[channel].label)}
    >
      {shortWaitingText(waiting)}
    </span>
  )
}
