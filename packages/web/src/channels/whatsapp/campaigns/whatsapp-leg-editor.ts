import type { LegEditor, OutcomeText } from '../../channel-campaigns.ts'
import { useWhatsappLeg } from './use-whatsapp-leg.tsx'
import { emptyValues } from './whatsapp-slots.ts'

export const whatsappLegEditor: LegEditor = {
  emptyValues,
  previewedBy: 'browser',
  limitsValues: false,
  outcomes,
  acceptsTtl: false,
  costNote: 'WhatsApp charges per delivered message.',
  useLeg: useWhatsappLeg,
}

function outcomes(next: string): OutcomeText[] {
  return [
    {
      type: 'not_reachable_on_channel',
      label: 'The number is not on WhatsApp',
      help: 'Detected immediately',
      short: 'not on WhatsApp',
    },
    {
      type: 'undelivered_after',
      label: 'Not delivered in time',
      help: 'Phone is off or has no network',
      short: 'not delivered',
      minutes: 10,
    },
    {
      type: 'unread_after',
      label: 'Not read in time',
      help: 'Includes people with read receipts off',
      short: 'not read',
      minutes: 60,
    },
    {
      type: 'frequency_capped',
      label: 'Meta’s marketing limit reached',
      help: 'Meta limits marketing per person',
      short: 'marketing limit reached',
    },
    {
      type: 'provider_rejected',
      label: 'Rejected by WhatsApp',
      help: 'Because of content, media or number',
      short: 'refused',
    },
    {
      type: 'template_unavailable',
      label: 'Template paused or disabled',
      help: 'By Meta, while the campaign is running',
      short: 'template stopped',
    },
    {
      type: 'no_consent_on_channel',
      label: 'The person opted out of WhatsApp',
      help: `Only if they agreed to ${next}`,
      short: 'opted out of WhatsApp',
    },
    { type: 'failed', label: 'Any other failure', help: 'Any error WhatsApp reports', short: 'failed' },
  ]
}
