import type { CampaignStats } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { stagesOf } from '../../../ui/charts/funnel-stages.ts'
import { Funnel as FunnelBars } from '../../../ui/charts/funnel.tsx'

/** The delivery funnel of a campaign. */
export function Funnel({ stats, channel }: { stats: CampaignStats; channel: Channel }) {
  return <FunnelBars {...stagesOf(stats, channel)} />
}
