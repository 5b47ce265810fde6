import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { stagesOf } from '../../../ui/charts/funnel-stages.ts'
import { Funnel as FunnelBars } from '../../../ui/charts/funnel.tsx'
import { RecipientsLink } from './recipients-link.tsx'
import type { ShownRecipients } from './shown-recipients.ts'

type FunnelProps = {
  stats: CampaignStats
  channel: Channel
  /** Its counts list their recipients in the report of this campaign. */
  campaignId?: string
  hasLinks?: boolean
}

const shownOfStages: Record<string, ShownRecipients> = {
  Sent: { result: 'sent' },
  Delivered: { result: 'delivered' },
  Read: { result: 'read' },
  Clicked: { clicked: true },
  Failed: { result: 'failed' },
}

/** The delivery funnel of a campaign. */
export function Funnel({ stats, channel, campaignId, hasLinks = stats.clicked > 0 }: FunnelProps) {
  const { clicked, ...counts } = stats
  return (
    <FunnelBars
      {...stagesOf(hasLinks ? { ...counts, clicked } : counts, channel)}
      wrapCount={({ label, count = 0 }, text) => {
        const shown = shownOfStages[label]
        if (!campaignId || !shown) return text
        return (
          <RecipientsLink campaignId={campaignId} shown={shown} count={count} label={`${label}: list ${text}`}>
            {text}
          </RecipientsLink>
        )
      }}
    />
  )
}
