import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { LegResult } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { stagesOf } from '../../../ui/charts/funnel-stages.ts'
import { Funnel as FunnelBars } from '../../../ui/charts/funnel.tsx'
import { RecipientsLink } from './recipients-link.tsx'

type FunnelProps = {
  stats: CampaignStats
  channel: Channel
  /** Its counts list their recipients in the report of this campaign. */
  campaignId?: string
}

const resultsOfStages: Record<string, LegResult> = {
  Sent: 'sent',
  Delivered: 'delivered',
  Read: 'read',
  Failed: 'failed',
}

/** The delivery funnel of a campaign. */
export function Funnel({ stats, channel, campaignId }: FunnelProps) {
  return (
    <FunnelBars
      {...stagesOf(stats, channel)}
      wrapCount={({ label, count = 0 }, text) => {
        const result = resultsOfStages[label]
        if (!campaignId || !result) return text
        return (
          <RecipientsLink campaignId={campaignId} shown={{ result }} count={count} label={`${label}: list ${text}`}>
            {text}
          </RecipientsLink>
        )
      }}
    />
  )
}
