/** Descriptions of the groups of calls for the reference page. */
export const rcsTags = {
  bots: 'RCS bots',
  rcsCampaigns: 'RCS campaigns, by the call of the specification',
  rcsMedia: 'Media of RCS templates',
  rcsTemplates: 'RCS templates',
}
