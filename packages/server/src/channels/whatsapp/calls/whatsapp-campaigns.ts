import type { whatsappCampaignEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Input } from '@carillon/contract/endpoint'
import type { Handlers } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import {
  assertAudienceSource,
  assertDraftInScope,
  createCampaignCalls,
  type CampaignDeps,
} from '../../../modules/campaigns/index.ts'
import { findNumberOf } from './find-number.ts'

/** The specification's calls for WhatsApp campaigns. */
export function whatsappCampaignHandlers(deps: CampaignDeps): Handlers<typeof whatsappCampaignEndpoints> {
  const { list, create, responses, start } = createCampaignCalls(deps)
  return {
    'waCampaigns.list': ({ db, actor, input: { query } }) =>
      list(db, actor, {
        ...query,
        channel: 'whatsapp',
        sort: 'created',
        direction: 'desc',
        includeTests: 'false',
      }),
    'waCampaigns.create': async ({ db, actor, input: { body }, files }) => {
      assertAudienceSource(body, files['file'])
      await assertDraftInScope(db, actor.scope, draftOf(body, null))
      const number = await findNumberOf(db, actor.scope, { wabaId: body.waba_id, phoneNumberId: body.phone_number_id })
      if (!number) throw notFound('Number')
      return create(db, { actor, draft: draftOf(body, number.id), people: body, upload: files['file'] })
    },
    'waCampaigns.start': start,
    'waCampaigns.responses': responses,
  }
}

type NewCampaign = Input<(typeof whatsappCampaignEndpoints)['waCampaigns.create']>['body']

/** A WhatsApp leg, and an optional SMS leg. */
function draftOf(body: NewCampaign, numberId: string | null): CampaignDraft {
  const { campaignName, schedule, skipRecent, frequencyCap, splitOverDays, message } = body
  return {
    campaignName,
    audienceId: null,
    schedule,
    skipRecent,
    frequencyCap,
    isUnified: false,
    abTest: null,
    splitOverDays,
    legs: [
      {
        channel: 'whatsapp',
        senderId: numberId,
        templateId: message.templateId,
        values: message.values,
        isEnabled: true,
        entryConditions: [],
      },
      {
        channel: 'sms',
        senderId: body.smsAccountId ?? null,
        templateId: body.smsTemplate ?? null,
        values: { variables: body.smsCustomParams },
        isEnabled: body.smsFailover,
        entryConditions: body.smsFailoverConditions,
      },
    ],
  }
}
