import { smsAccountHandlers } from './sms/calls/sms-accounts.ts'
import { smsTemplateHandlers } from './sms/calls/sms-templates.ts'
import { whatsappAccountHandlers } from './whatsapp/calls/whatsapp-accounts.ts'
import type { SignUpDeps } from './whatsapp/calls/sign-up.ts'
import { whatsappTemplateHandlers } from './whatsapp/calls/whatsapp-templates.ts'
import type { FileStore } from '../modules/files/index.ts'

export type { DemoAccount } from './whatsapp/calls/sign-up.ts'

/** The handlers of the calls that one channel alone has. */
export function channelHandlers(deps: SignUpDeps & { files: FileStore }) {
  return {
    ...smsAccountHandlers(deps),
    ...smsTemplateHandlers,
    ...whatsappAccountHandlers(deps),
    ...whatsappTemplateHandlers(deps),
  }
}
