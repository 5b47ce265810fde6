import clsx from 'clsx'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { channels } from './index.ts'

/** A channel's icon with its name; only the icon if the name is next to it. */
export function ChannelMark({ channel, markOnly, large }: { channel: Channel; markOnly?: boolean; large?: boolean }) {
  const { icon: Icon, tint } = channels[channel].mark
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <span
        className={clsx('grid shrink-0 place-items-center', large ? 'size-7 rounded-md' : 'size-5 rounded-[5px]', tint)}
      >
        <Icon aria-hidden data-size className={large ? 'size-4' : 'size-3 stroke-2!'} />
      </span>
      <span className={markOnly ? 'sr-only' : undefined}>{channelLabel(channel)}</span>
    </span>
  )
}

export function channelLabel(channel: Channel): string {
  return channelTraits[channel].label
}
