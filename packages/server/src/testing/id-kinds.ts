import type { EndpointName } from '@carillon/contract'
import type { Fixtures } from './fixtures.ts'

export type Kind = keyof Fixtures

/** The kind of a plain `id`, by the first word of the call. */
export const kindsOfCalls: Record<string, Kind> = {
  sessions: 'session',
  invitations: 'invitation',
  uploads: 'file',
  smsAccounts: 'smsAccount',
  smsTemplates: 'template',
  wabas: 'whatsappAccount',
  waTemplates: 'whatsappTemplate',
  families: 'family',
  bots: 'rcsBot',
  rcsTemplates: 'rcsTemplate',
  rcsMedia: 'file',
  rcsCampaigns: 'campaign',
  audience: 'audience',
  savedAudiences: 'audience',
  savedViews: 'savedView',
  messages: 'singleSend',
  smsCampaigns: 'campaign',
  campaigns: 'campaign',
  drafts: 'campaign',
  waCampaigns: 'whatsappCampaign',
  replies: 'campaign',
  reports: 'campaign',
  topUps: 'topUp',
  invoices: 'invoice',
  rateCards: 'rateCard',
  support: 'supportRequest',
  notifications: 'notification',
  agents: 'account',
  teams: 'team',
  cannedReplies: 'cannedReply',
}

/** The kind of an id by the name of its field. */
export const kindsOfFields: Record<string, Kind> = {
  campaignId: 'campaign',
  smsAccountId: 'smsAccount',
  smsTemplate: 'template',
  senderId: 'smsAccount',
  templateId: 'template',
  botId: 'rcsBot',
  requestId: 'rcsRequest',
  logoId: 'botImage',
  bannerId: 'botImage',
  organizationId: 'organization',
  audienceId: 'audience',
  fileId: 'file',
  accountId: 'account',
  memberIds: 'account',
  teamIds: 'team',
  lineIds: 'smsAccount',
}
/** Calls whose plain `id` is not of the kind their name suggests. */
export const kindsOfIds: Partial<Record<EndpointName, Kind>> = {
  'wabas.activate': 'whatsappNumber',
  'bots.asset': 'botImage',
  'bots.request': 'rcsRequest',
  'bots.withdraw': 'rcsRequest',
  'bots.reject': 'rcsRequest',
}
