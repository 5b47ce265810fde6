import type { smsCampaignEndpoints } from '@carillon/contract/channels/sms/sms-campaigns'
import type { Handlers } from '../../../http/handlers.ts'
import { createCampaignCalls, type CampaignDeps } from '../../../modules/campaigns/index.ts'
import type { SmsValues } from '../sms-legs.ts'

/** The specification's calls for SMS campaigns. */
export function smsCampaignHandlers(deps: CampaignDeps): Handlers<typeof smsCampaignEndpoints> {
  const { list, create, responses, searchNumber, start, discard } = createCampaignCalls(deps)
  return {
    'smsCampaigns.list': ({ db, actor, input: { query } }) => {
      const { smsAccountId, ...filter } = query
      return list(db, actor, { ...filter, senderId: smsAccountId, channel: 'sms' })
    },
    'smsCampaigns.search': ({ db, actor, input: { query } }) =>
      list(db, actor, {
        channel: 'sms',
        search: query.query,
        page: query.page,
        limit: query.limit,
        sort: 'created',
        direction: 'desc',
        includeTests: 'false',
      }),
    'smsCampaigns.responses': responses,
    'smsCampaigns.searchNumber': searchNumber,
    'smsCampaigns.create': ({ db, actor, input, files }) => {
      const { campaignName, smsAccountId, templateId, variables, schedule, skipRecent, frequencyCap, ...people } =
        input.body
      const values: SmsValues = { variables }
      const basics = {
        campaignName,
        schedule,
        skipRecent,
        frequencyCap,
        audienceId: null,
        isUnified: false,
        abTest: null,
        splitOverDays: false,
      }
      const leg = { channel: 'sms', senderId: smsAccountId, templateId, values, isEnabled: true } as const
      const draft = { ...basics, legs: [{ ...leg, entryConditions: [] }] satisfies [unknown] }
      return create(db, { actor, draft, people, upload: files['file'] })
    },
    'smsCampaigns.start': start,
    'smsCampaigns.discard': discard,
  }
}
