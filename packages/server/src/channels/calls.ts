import type { CampaignDeps } from '../modules/campaigns/index.ts'
import { smsCampaignHandlers } from './sms/calls/sms-campaigns.ts'
import { sendTemplateTest } from './whatsapp/calls/send-template-test.ts'
import { whatsappCampaignHandlers } from './whatsapp/calls/whatsapp-campaigns.ts'

/** The handlers of calls that one channel alone has: one line a channel. */
export function channelHandlers(deps: CampaignDeps) {
  return { ...smsCampaignHandlers(deps), ...whatsappCampaignHandlers(deps) }
}

/** What the modules below are given by a channel's calls. */
export const channelEffects = { sendTemplateTest }
