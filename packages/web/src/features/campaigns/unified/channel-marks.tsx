import type { Channel } from '@carillon/contract/channels'
import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'

/** The channels of a campaign in their order. */
export function ChannelMarks({ channels }: { channels: readonly Channel[] }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="sr-only">{channels.map(channelLabel).join(', then ')}</span>
      <span aria-hidden className="inline-flex items-center gap-0.5">
        {channels.map((channel, index) => (
          <Fragment key={channel}>
            {index > 0 ? <ChevronRight className="size-3 text-muted-foreground" /> : null}
            <span title={channelLabel(channel)}>
              <ChannelMark channel={channel} markOnly />
            </span>
          </Fragment>
        ))}
      </span>
    </span>
  )
}
