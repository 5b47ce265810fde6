import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'

/** The text in one line; Meta writes that of authentication templates. */
export function textOf({ category, components: { body } }: WhatsappTemplate): string {
  return category === 'AUTHENTICATION' ? 'Verification code (text by Meta)' : body.replaceAll(/\s+/g, ' ')
}
