/** Descriptions of the groups of calls for the reference page. */
export const rcsTags = {
  bots: 'RCS bots',
  rcsCampaigns: 'RCS campaigns, by the call of the specification',
  rcsPartner: 'The partner account of RCS bots',
  rcsMedia: 'Media of RCS templates',
  rcsTemplates: 'RCS templates',
}
