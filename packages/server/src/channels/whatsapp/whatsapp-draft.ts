import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { TemplateValues, type WhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { fromSmsDraft, toSmsDraft } from '../sms/sms-draft.ts'

/** The draft that the WhatsApp wizard sends, as a leg over WhatsApp and one over SMS, which may be switched off. */
export function fromWhatsappDraft(draft: WhatsappDraft): CampaignDraft {
  const { waba_id: _, numberId, templateId, values, splitOverDays, ...rest } = draft
  const { smsFailover, smsFailoverConditions, smsTemplate, smsAccountId, smsCustomParams, ...basics } = rest
  const [failover] = fromSmsDraft({ ...basics, smsAccountId, templateId: smsTemplate, variables: smsCustomParams }).legs
  const own: DraftLeg = {
    channel: 'whatsapp',
    senderId: numberId,
    templateId,
    values,
    isEnabled: true,
    entryConditions: [],
  }
  return {
    ...basics,
    splitOverDays,
    legs: [own, { ...failover, isEnabled: smsFailover, entryConditions: smsFailoverConditions }],
  }
}

/** The reverse of `fromWhatsappDraft`; `wabaId` is the account of the draft's number. */
export function toWhatsappDraft(draft: CampaignDraft, wabaId: string | null): WhatsappDraft {
  const { legs, splitOverDays, ...basics } = draft
  const [own, failover] = legs
  const sms = failover && toSmsDraft({ ...draft, legs: [failover] })
  return {
    ...basics,
    splitOverDays,
    waba_id: wabaId,
    numberId: own.senderId,
    templateId: own.templateId,
    values: TemplateValues.parse(own.values),
    smsFailover: failover?.isEnabled ?? false,
    smsFailoverConditions: failover?.entryConditions ?? [],
    smsTemplate: sms?.templateId ?? null,
    smsAccountId: sms?.smsAccountId ?? null,
    smsCustomParams: sms?.variables ?? [],
  }
}
