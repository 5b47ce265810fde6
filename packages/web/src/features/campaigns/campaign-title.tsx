import type { Campaign } from '@carillon/contract/campaign-records'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { StatusPill } from '../../ui/pill.tsx'

/** Channel, name and status, as the title of a side sheet. */
export function CampaignTitle({ campaign }: { campaign: Pick<Campaign, 'channel' | 'campaignName' | 'status'> }) {
  return (
    <>
      <ChannelMark channel={campaign.channel} markOnly />
      <span className="min-w-0 truncate" title={campaign.campaignName}>
        {campaign.campaignName}
      </span>
      <StatusPill status={campaign.status} />
    </>
  )
}

/** The keys that move a side sheet to the next row. */
export function NextCampaignHint() {
  return (
    <span className="inline-flex items-center gap-1.5 text-caption text-muted-foreground max-md:hidden">
      <Keys names={['↑', '↓']} /> next campaign
    </span>
  )
}
