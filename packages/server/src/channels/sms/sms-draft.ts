import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { SmsDraft } from '@carillon/contract/channels/sms/sms-drafts'
import { SmsValues } from './sms-legs.ts'

/** The draft that the SMS wizard sends, as one leg. */
export function fromSmsDraft({ smsAccountId, templateId, variables, ...basics }: SmsDraft): CampaignDraft {
  return {
    ...basics,
    splitOverDays: false,
    legs: [
      {
        channel: 'sms',
        senderId: smsAccountId,
        templateId,
        values: { variables },
        isEnabled: true,
        entryConditions: [],
      },
    ],
  }
}

/** The reverse of `fromSmsDraft`. */
export function toSmsDraft(draft: CampaignDraft): SmsDraft {
  const { legs, splitOverDays: _, ...basics } = draft
  const [{ senderId, templateId, values }] = legs
  return { ...basics, smsAccountId: senderId, templateId, variables: SmsValues.parse(values).variables }
}
