import type { CampaignDeps } from '../modules/campaigns/index.ts'
import type { FileStore } from '../modules/files/index.ts'
import { rcsCampaignHandlers } from './rcs/calls/rcs-campaigns.ts'
import { rcsTemplateHandlers } from './rcs/calls/rcs-templates.ts'
import { smsAccountHandlers } from './sms/calls/sms-accounts.ts'
import { smsCampaignHandlers } from './sms/calls/sms-campaigns.ts'
import { smsTemplateHandlers } from './sms/calls/sms-templates.ts'
import { rcsBotHandlers } from './rcs/calls/bots.ts'
import type { SignUpDeps } from './whatsapp/calls/sign-up.ts'
import { whatsappAccountHandlers } from './whatsapp/calls/whatsapp-accounts.ts'
import { whatsappCampaignHandlers } from './whatsapp/calls/whatsapp-campaigns.ts'
import { whatsappTemplateHandlers } from './whatsapp/calls/whatsapp-templates.ts'

export type { DemoAccount } from './whatsapp/calls/sign-up.ts'

/** The handlers of the calls that one channel alone has. */
export function channelHandlers(deps: SignUpDeps & CampaignDeps & { files: FileStore; publicUrl(): string }) {
  return {
    ...smsAccountHandlers(deps),
    ...smsTemplateHandlers,
    ...smsCampaignHandlers(deps),
    ...rcsBotHandlers(deps),
    ...whatsappAccountHandlers(deps),
    ...whatsappTemplateHandlers(deps),
    ...whatsappCampaignHandlers(deps),
    ...rcsTemplateHandlers(deps),
    ...rcsCampaignHandlers(deps),
  }
}
