import type { rcsCampaignEndpoints } from '@carillon/contract/channels/rcs/rcs-campaigns'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { Input } from '@carillon/contract/endpoint'
import type { Handlers } from '../../../http/handlers.ts'
import {
  assertAudienceSource,
  assertDraftInScope,
  createCampaignCalls,
  type CampaignDeps,
} from '../../../modules/campaigns/index.ts'
import { getBot } from './find-bot.ts'

/** The specification's calls for RCS campaigns. */
export function rcsCampaignHandlers(deps: CampaignDeps): Handlers<typeof rcsCampaignEndpoints> {
  const { create } = createCampaignCalls(deps)
  return {
    'rcsCampaigns.create': async ({ db, actor, input: { body }, files }) => {
      assertAudienceSource(body, files['file'])
      await assertDraftInScope(db, actor.scope, draftOf(body, null))
      const { senderId } = await getBot(db, actor.scope, body.botId)
      return create(db, { actor, draft: draftOf(body, senderId), people: body, upload: files['file'] })
    },
  }
}

type NewCampaign = Input<(typeof rcsCampaignEndpoints)['rcsCampaigns.create']>['body']

/** An RCS leg, and an optional SMS leg. */
function draftOf(body: NewCampaign, senderId: string | null): CampaignDraft {
  const { campaignName, schedule, skipRecent, frequencyCap, templateId, variables } = body
  return {
    campaignName,
    audienceId: null,
    schedule,
    skipRecent,
    frequencyCap,
    isUnified: false,
    abTest: null,
    splitOverDays: false,
    legs: [
      { channel: 'rcs', senderId, templateId, values: { variables }, isEnabled: true, entryConditions: [] },
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
