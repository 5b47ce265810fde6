/** Descriptions of the groups of calls for the reference page. */
export const smsTags = {
  smsAccounts: 'SMS accounts with providers',
  smsCampaigns: 'SMS campaigns, by the calls of the specification',
  smsTemplates: 'SMS templates',
}
