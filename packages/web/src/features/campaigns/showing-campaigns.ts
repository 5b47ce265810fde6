/** The reads that show campaigns and what they cost: out of date after a write. */
export const showingCampaigns = ['campaigns.list', 'campaigns.get', 'balance.get'] as const
