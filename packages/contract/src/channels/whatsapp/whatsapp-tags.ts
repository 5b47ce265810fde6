/** Descriptions of the groups of calls for the reference page. */
export const whatsappTags = {
  waCampaigns: 'WhatsApp campaigns, by the calls of the specification',
  waMedia: 'Media of WhatsApp campaigns and templates',
  waTemplates: 'WhatsApp templates',
  wabas: 'WhatsApp Business Accounts: connection, numbers, profile, analytics',
}
