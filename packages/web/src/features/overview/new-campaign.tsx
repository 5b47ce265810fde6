import { NewCampaign as NewCampaignButton } from '../../channels/new-campaign.tsx'
import { useIncluded } from '../../lib/use-included.ts'

/** The one primary action of every overview: by channel, where there is more than one to choose from. */
export function NewCampaign() {
  return useIncluded('campaign') === false ? null : <NewCampaignButton />
}
