import type { LegEditor, OutcomeText } from '../../channel-campaigns.ts'
import { emptyValues } from './rcs-values.ts'
import { useRcsLeg } from './use-rcs-leg.tsx'

export const rcsLegEditor: LegEditor = {
  emptyValues,
  previewedBy: 'browser',
  limitsValues: true,
  outcomes,
  acceptsTtl: true,
  costNote: 'Texts of at most 160 bytes are charged as basic, all other messages as single.',
  useLeg: useRcsLeg,
}

function outcomes(next: string): OutcomeText[] {
  return [
    {
      type: 'not_reachable_on_channel',
      label: 'The phone has no RCS',
      help: 'Detected before sending',
      short: 'no RCS',
    },
    {
      type: 'undelivered_after',
      label: 'Not delivered in time',
      help: 'The phone is off or offline. The RCS message is revoked first',
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
      type: 'provider_rejected',
      label: 'Rejected by the operator',
      help: 'Because of content, bot or phone',
      short: 'rejected',
    },
    {
      type: 'template_unavailable',
      label: 'Template paused or disabled',
      help: 'While the campaign is running',
      short: 'template stopped',
    },
    {
      type: 'no_consent_on_channel',
      label: 'The person opted out of RCS',
      help: `Only if they agreed to ${next}`,
      short: 'opted out of RCS',
    },
    {
      type: 'failed',
      label: 'Any other failure',
      help: 'Such as a message that expired before delivery',
      short: 'failed or expired',
    },
  ]
}
