import { smsAccountHandlers } from './sms/calls/account-handlers.ts'
import { smsTemplateHandlers } from './sms/calls/template-handlers.ts'
import { whatsappAccountHandlers } from './whatsapp/calls/account-handlers.ts'
import type { SignUpDeps } from './whatsapp/calls/sign-up-handlers.ts'
import { whatsappTemplateHandlers } from './whatsapp/calls/template-handlers.ts'
import type { FileStore } from '../modules/files/index.ts'

export type { DemoAccount } from './whatsapp/calls/sign-up-handlers.ts'

/** The handlers of the calls that one channel alone has. */
export function channelHandlers(deps: SignUpDeps & { files: FileStore }) {
  return {
    ...smsAccountHandlers(deps),
    ...smsTemplateHandlers,
    ...whatsappAccountHandlers(deps),
    ...whatsappTemplateHandlers(deps),
  }
}
