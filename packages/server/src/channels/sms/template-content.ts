import { SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import { z } from 'zod'

/** The structure of `templates.content` for SMS. */
export const SmsContent = SmsTemplateInput.pick({
  header: true,
  body: true,
  variables: true,
  entityId: true,
  dltTemplateId: true,
}).extend({
  encoding: z.enum(['gsm7', 'ucs2']),
  parts: z.number(),
  worstParts: z.number(),
})
export type SmsContent = z.infer<typeof SmsContent>
