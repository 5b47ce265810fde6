import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { z } from 'zod'

type Leg = z.input<typeof CampaignDraft>['legs'][number]
type Chosen = Partial<Omit<Leg, 'channel' | 'values'>>

/** A draft's leg over SMS, with nothing chosen unless given. */
export function smsLeg({ variables = [], ...chosen }: Chosen & { variables?: object[] } = {}): Leg {
  return { channel: 'sms', senderId: null, templateId: null, ...chosen, values: { variables } }
}

/** The same over WhatsApp. */
export function whatsappLeg({ values = {}, ...chosen }: Chosen & { values?: object } = {}): Leg {
  return { channel: 'whatsapp', senderId: null, templateId: null, ...chosen, values }
}
