import { CampaignStatus, MessageStatus } from '@carillon/contract/campaign-records'
import { Channel } from '@carillon/contract/channels'
import type { Gallery } from '../lib/gallery.ts'
import { ChannelMark } from '../channels/channel-mark.tsx'
import { MessagePill, StatusPill } from './pill.tsx'
import { Progress } from './progress.tsx'
import { Tick } from './tick.tsx'

const row = 'flex max-w-140 flex-wrap gap-2'

export const gallery: Gallery = {
  title: 'Status and channel',
  states: {
    campaigns: () => (
      <div className={row}>
        {CampaignStatus.options.map((status) => (
          <StatusPill key={status} status={status} />
        ))}
      </div>
    ),
    messages: () => (
      <div className={row}>
        {MessageStatus.options.map((status) => (
          <MessagePill key={status} status={status} />
        ))}
      </div>
    ),
    ticks: () => (
      <div className={row}>
        {MessageStatus.options.map((status) => (
          <Tick key={status} status={status} withLabel />
        ))}
      </div>
    ),
    channels: () => (
      <div className={row}>
        {Channel.options.map((channel) => (
          <ChannelMark key={channel} channel={channel} />
        ))}
      </div>
    ),
    progress: () => (
      <div className="flex w-60 flex-col gap-3">
        <Progress percent={62} label="Diwali early access" />
        <Progress percent={45} label="Cart reminder" tone="care" />
        <Progress percent={100} label="Loyalty points" tone="good" thick />
      </div>
    ),
  },
}
