import { accountAccessEndpoints } from './account-access.ts'
import { accountEndpoints } from './accounts.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { audienceEndpoints } from './audience.ts'
import { authEndpoints } from './auth.ts'
import { balanceEndpoints } from './balance.ts'
import { billingEndpoints } from './billing.ts'
import { brandEndpoints } from './brands.ts'
import { campaignChangeEndpoints } from './campaign-changes.ts'
import { draftEndpoints } from './campaign-drafts.ts'
import { campaignListEndpoints } from './campaign-lists.ts'
import { campaignEndpoints } from './campaigns.ts'
import { contactEndpoints } from './contacts.ts'
import { conversationEndpoints } from './conversations.ts'
import { defineEndpoints, type Endpoint } from './endpoint.ts'
import { fileEndpoints } from './files.ts'
import { inboxSettingsEndpoints } from './inbox-settings.ts'
import { liveAgentEndpoints } from './live-agents.ts'
import { mailEndpoints } from './mail.ts'
import { marginEndpoints } from './margin.ts'
import { messageEndpoints } from './messages.ts'
import { notificationEndpoints } from './notifications.ts'
import { optOutEndpoints } from './opt-outs.ts'
import { usersEndpoints } from './users.ts'
import { eventEndpoints } from './events.ts'
import { otpEndpoints } from './otp.ts'
import { publicMessageEndpoints } from './public-messages.ts'
import { linkEndpoints } from './links.ts'
import { replyEndpoints } from './replies.ts'
import { reportFileEndpoints } from './report-files.ts'
import { reportScheduleEndpoints } from './report-schedules.ts'
import { reportEndpoints } from './reports.ts'
import { savedViewEndpoints } from './saved-views.ts'
import { senderEndpoints } from './senders.ts'
import { sendingEndpoints } from './sending.ts'
import { sendingRulesEndpoints } from './sending-rules.ts'
import { smppCredentialEndpoints } from './smpp-credentials.ts'
import { supportEndpoints } from './support.ts'
import { templateFamilyEndpoints } from './template-families.ts'
import { unifiedCampaignEndpoints } from './unified-campaigns.ts'
import { webhookEndpoints } from './webhooks.ts'
import { rcsBotAdminEndpoints } from './channels/rcs/rcs-bot-admin.ts'
import { rcsBotEndpoints } from './channels/rcs/rcs-bots.ts'
import { rcsCampaignEndpoints } from './channels/rcs/rcs-campaigns.ts'
import { rcsTags } from './channels/rcs/rcs-tags.ts'
import { rcsTemplateEndpoints } from './channels/rcs/rcs-templates.ts'
import { smsAccountEndpoints } from './channels/sms/sms-accounts.ts'
import { smsCampaignEndpoints } from './channels/sms/sms-campaigns.ts'
import { smsTags } from './channels/sms/sms-tags.ts'
import { templateEndpoints } from './channels/sms/sms-templates.ts'
import { whatsappTemplateEndpoints } from './channels/whatsapp/whatsapp-templates.ts'
import { whatsappCampaignEndpoints } from './channels/whatsapp/whatsapp-campaigns.ts'
import { whatsappEndpoints } from './channels/whatsapp/whatsapp-accounts.ts'
import { whatsappTags } from './channels/whatsapp/whatsapp-tags.ts'

/** All API calls. The server must mount all of them to start; the browser can call no others. */
export const endpoints = defineEndpoints({
  ...authEndpoints,
  ...accountEndpoints,
  ...accountAccessEndpoints,
  ...usersEndpoints,
  ...balanceEndpoints,
  ...fileEndpoints,
  ...senderEndpoints,
  ...smsAccountEndpoints,
  ...whatsappEndpoints,
  ...rcsBotEndpoints,
  ...rcsBotAdminEndpoints,
  ...templateEndpoints,
  ...whatsappTemplateEndpoints,
  ...templateFamilyEndpoints,
  ...rcsTemplateEndpoints,
  ...audienceEndpoints,
  ...optOutEndpoints,
  ...sendingRulesEndpoints,
  ...messageEndpoints,
  ...publicMessageEndpoints,
  ...otpEndpoints,
  ...eventEndpoints,
  ...campaignEndpoints,
  ...draftEndpoints,
  ...campaignListEndpoints,
  ...unifiedCampaignEndpoints,
  ...campaignChangeEndpoints,
  ...linkEndpoints,
  ...smsCampaignEndpoints,
  ...whatsappCampaignEndpoints,
  ...rcsCampaignEndpoints,
  ...replyEndpoints,
  ...reportEndpoints,
  ...reportFileEndpoints,
  ...reportScheduleEndpoints,
  ...billingEndpoints,
  ...marginEndpoints,
  ...conversationEndpoints,
  ...contactEndpoints,
  ...inboxSettingsEndpoints,
  ...liveAgentEndpoints,
  ...apiKeyEndpoints,
  ...smppCredentialEndpoints,
  ...supportEndpoints,
  ...notificationEndpoints,
  ...savedViewEndpoints,
  ...brandEndpoints,
  ...sendingEndpoints,
  ...mailEndpoints,
  ...webhookEndpoints,
})

/** Descriptions of the groups of calls that one channel alone has. */
export const channelTags = { ...smsTags, ...rcsTags, ...whatsappTags }

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
/** The calls that API keys can make, each with its scope. */
export type ApiCall = {
  [Name in EndpointName]: Endpoints[Name] extends { scope: string } ? Name : never
}[EndpointName]
export type { Endpoint }
