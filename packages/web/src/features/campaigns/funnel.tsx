import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { Funnel as FunnelBars } from '../../ui/charts/funnel.tsx'

/** How far a campaign's messages came. */
export function Funnel({ stats, channel }: { stats: CampaignStats; channel: Channel }) {
  return (
    <FunnelBars
      total={stats.submitted}
      stages={[
        { label: 'Sent', count: stats.submitted, tone: 1 },
        { label: 'Delivered', count: stats.delivered + stats.read, tone: 2 },
        // SMS has no read receipts.
        { label: 'Read', count: channel === 'sms' ? undefined : stats.read, tone: 3 },
        { label: 'Replied', count: stats.replied, tone: 4 },
        { label: 'Failed', count: stats.failed, tone: 'failed' },
      ]}
    />
  )
}
