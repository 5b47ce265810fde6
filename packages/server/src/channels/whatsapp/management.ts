import type { WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappCategory, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { AccountAccess, Lines, Management, Reviewed } from '../management.ts'

/** A WhatsApp provider has all of the optional abilities but one. */
export type WhatsappManagement = Required<
  Omit<Management<WhatsappTemplateDraft, WhatsappProfile>, 'access' | 'lines' | 'reach'>
> & {
  access: Required<AccountAccess>
  lines: Required<Lines>
}

export type WhatsappTemplateDraft = {
  name: string
  language: string
  category: WhatsappCategory
  parameterFormat: 'positional' | 'named'
  content: WhatsappTemplateContent
}

export type ReviewedTemplate = Reviewed<WhatsappTemplateDraft>
