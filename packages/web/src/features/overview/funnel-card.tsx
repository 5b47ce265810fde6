import { Channel } from '@carillon/contract/channels'
import { formatCount, formatPercent } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { Card } from '../../ui/card.tsx'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Funnel, type Stage } from '../../ui/charts/funnel.tsx'
import type { Counts } from './daily.ts'
import { Region } from '../../ui/region.tsx'

type CountsRead = ReturnType<typeof useApi<'dashboard.statusCounts'>>
type ChannelCounts = NonNullable<Counts['channels']['sms']>

/** From sent to replied, for each channel that was used. */
export function FunnelCard({ counts }: { counts: CountsRead }) {
  return (
    <Card title="What became of them" caption="Funnel per channel">
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
          <Funnel stages={stagesOf(channel, counts)} total={counts.submitted} withCounts={used.length === 1} />
          <p className="mt-1.5 text-dense text-muted-foreground">{noteOf(channel, counts)}</p>
        </div>
      ))}
    </div>
  )
}

function stagesOf(channel: Channel, { submitted, delivered, read, replied, failed }: ChannelCounts): Stage[] {
  return [
    { label: 'Sent', count: submitted, tone: 1 },
    { label: 'Delivered', count: delivered + read, tone: 2 },
    { label: 'Read', count: channel === 'sms' ? undefined : read, tone: 3 },
    { label: 'Replied', count: replied, tone: 4 },
    { label: 'Failed', count: failed, tone: 'failed' },
  ]
}

function noteOf(channel: Channel, { submitted, delivered, read, pending }: ChannelCounts): string {
  const waiting = pending > 0 ? `${formatCount(pending)} still on the way. ` : ''
  if (channel === 'sms') return `${waiting}SMS has no read receipts`
  const lost = delivered + read > 0 ? 1 - read / (delivered + read) : 0
  return `${waiting}${submitted > 0 ? `${formatPercent(lost)} of the delivered are not read yet` : ''}`
}
