import { NewCampaign as NewCampaignButton } from '../../channels/new-campaign.tsx'
import { useIncluded } from '../../lib/use-included.ts'

/** The primary action of every overview: by channel, if there are several. */
export function NewCampaign() {
  return useIncluded('campaign') === false ? null : <NewCampaignButton />
}
