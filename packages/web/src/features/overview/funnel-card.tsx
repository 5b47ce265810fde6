import { figuresOf } from '@carillon/contract/figures'
import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { formatCount, formatPercent } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { stagesOf } from '../../ui/charts/funnel-stages.ts'
import { Funnel } from '../../ui/charts/funnel.tsx'
import type { Counts } from './daily.ts'
import { Region } from '../../ui/region.tsx'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>
type ChannelCounts = NonNullable<Counts['channels'][Channel]>

/** From sent to replied, for each used channel. */
export function FunnelCard({ counts }: { counts: CountsRead }) {
  return (
    <Card title="Delivery funnel" caption="By channel">
      <Region read={counts} label="the funnel">
        {({ channels }) => <Funnels channels={channels} />}
      </Region>
    </Card>
  )
}

function Funnels({ channels }: { channels: Counts['channels'] }) {
  const used = Channel.options.flatMap((channel) => {
    const counts = channels[channel]
    return counts && counts.submitted > 0 ? [{ channel, counts }] : []
  })
  if (used.length === 0)
    return (
      <p className="px-4 pb-6 text-muted-foreground">Sent, delivered and replied appear with your first campaign.</p>
    )
  return (
    <div className="grid border-t border-line md:grid-flow-col md:auto-cols-fr">
      {used.map(({ channel, counts }) => (
        <div key={channel} className="min-w-0 border-line px-4 py-3 not-first:border-l">
          <p className="mb-1 flex items-center justify-between">
            <b>
              <ChannelMark channel={channel} />
            </b>
            <span className="text-dense text-muted-foreground tabular-nums">{formatCount(counts.submitted)} sent</span>
          </p>
          <Funnel {...stagesOf(counts, channel)} withCounts={used.length === 1} />
          <p className="mt-1.5 text-dense text-muted-foreground">{noteOf(channel, counts)}</p>
        </div>
      ))}
    </div>
  )
}

function noteOf(channel: Channel, counts: ChannelCounts): string {
  const { delivered, read, inFlight } = figuresOf(counts)
  const open = [
    counts.pending > 0 ? `${formatCount(counts.pending)} waiting to be sent` : '',
    inFlight > 0 ? `${formatCount(inFlight)} in flight` : '',
  ].filter(Boolean)
  const waiting = open.length > 0 ? `${open.join(', ')}. ` : ''
  const { label, hasReadReceipts } = channelTraits[channel]
  if (!hasReadReceipts) return `${waiting}${label} has no read receipts`
  return `${waiting}${delivered > read ? `${formatPercent(1 - read / delivered)} of delivered messages are not read yet` : ''}`
}
