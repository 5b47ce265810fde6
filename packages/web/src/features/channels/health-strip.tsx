import type { Channel } from '@carillon/contract/channels'
import { formatCount, formatKnownShare } from '../../lib/format.ts'
import { useApi } from '../../lib/use-api.ts'
import { Tracker } from '../../ui/charts/tracker.tsx'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { healthDays, healthOf } from '../../channels/parts/channel-health.ts'

/** The last 30 days of a channel, with delivered and failed messages; empty if nothing was sent. */
export function HealthStrip({ channel }: { channel: Channel }) {
  const counts = useApi('dashboard.statusCounts', { query: { days: healthDays } }, { refetchInterval: 60_000 })
  const health = counts.data && healthOf(counts.data.daily, { channel })
  if (!health || health.sent === 0) return null
  return (
    <div className="w-84 max-xl:order-2 max-xl:w-full max-xl:max-w-140">
      <Tracker bars={health.days} summary={`${channelLabel(channel)}: ${health.summary}`} />
      <p className="mt-1 flex gap-3 text-caption whitespace-nowrap text-muted-foreground tabular-nums">
        <span className="flex-1">{formatCount(health.sent)} sent in 30 days</span>
        <span>{formatKnownShare(health.delivered)} delivered</span>
        <span>{formatKnownShare(health.failed)} failed</span>
      </p>
    </div>
  )
}
