import type { Campaign } from '@carillon/contract/campaign-records'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { Keys } from '../../../ui/kbd.tsx'
import { StatusPill } from '../../../ui/pill.tsx'

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

/** Shortcut keys for the next row. */
export function NextCampaignHint() {
  return (
    <span className="flex h-5 min-w-0 flex-wrap items-center gap-x-1.5 overflow-hidden text-caption text-muted-foreground max-md:hidden">
      <Keys names={['↑', '↓']} /> <span className="whitespace-nowrap">next campaign</span>
    </span>
  )
}
