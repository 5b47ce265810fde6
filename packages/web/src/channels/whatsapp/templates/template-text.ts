import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'

/** The text in one line; for authentication templates it is Meta's. */
export function textOf({ category, components: { body } }: WhatsappTemplate): string {
  return category === 'AUTHENTICATION' ? 'Verification code (text by Meta)' : body.replaceAll(/\s+/g, ' ')
}
