/** Reads that contain campaigns and their costs: invalidated by writes. */
export const showingCampaigns = ['campaigns.list', 'campaigns.get', 'balance.get'] as const
