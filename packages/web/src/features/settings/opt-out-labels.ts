import type { OptOut, OptOutScope, OptOutSource } from '@carillon/contract/opt-outs'

export const scopeLabels: Record<OptOutScope, string> = {
  sms: 'SMS',
  whatsapp_marketing: 'WhatsApp marketing',
  whatsapp: 'WhatsApp',
}

export const scopeHelp: Record<OptOutScope, string> = {
  sms: 'Gets no SMS from you at all',
  whatsapp_marketing: 'Still gets confirmations, updates and codes',
  whatsapp: 'Gets nothing from you on WhatsApp',
}

export const sourceLabels: Record<OptOutSource, string> = {
  reply: 'Replied',
  app: 'WhatsApp settings',
  manual: 'Added manually',
  import: 'Imported',
}

/** Origin of an opt-out: 'Replied STOP', 'Imported by Meera Joshi'. */
export function describeSource({ source, keyword, addedBy }: Pick<OptOut, 'source' | 'keyword' | 'addedBy'>): string {
  if (source === 'reply') return keyword ? `Replied “${keyword}”` : 'Replied'
  if (source === 'app') return 'Stopped marketing in WhatsApp'
  return addedBy ? `${sourceLabels[source]}, ${addedBy}` : sourceLabels[source]
}
