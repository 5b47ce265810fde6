import type { WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { WhatsappCategory, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Management, Reviewed } from '../management.ts'

/** A WhatsApp provider has all of the optional abilities but one: who uses WhatsApp is not known before sending. */
export type WhatsappManagement = Required<Omit<Management<WhatsappTemplateDraft, WhatsappProfile>, 'reach'>>

export type WhatsappTemplateDraft = {
  name: string
  language: string
  category: WhatsappCategory
  parameterFormat: 'positional' | 'named'
  content: WhatsappTemplateContent
}

export type ReviewedTemplate = Reviewed<WhatsappTemplateDraft>
