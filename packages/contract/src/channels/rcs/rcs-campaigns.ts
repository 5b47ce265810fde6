import { z } from 'zod'
import { AudienceMapping } from '../../audience.ts'
import { Campaign, DraftBasics, VariableSource } from '../../campaign-records.ts'
import { Flag, Id, Name } from '../../common.ts'
import { FailoverCondition } from '../../draft-legs.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { maximumAudienceBytes, numbersBodyBytes } from '../../sizes.ts'

/** Value sources of a template's variables, in the order of `listRcsVariables`. */
export const RcsValues = z.object({ variables: z.array(VariableSource).max(100).default([]) })
export type RcsValues = z.infer<typeof RcsValues>

/** The specification's calls for RCS campaigns. The product's own screens use the calls for every channel. */
export const rcsCampaignEndpoints = defineEndpoints({
  'rcsCampaigns.create': {
    route: 'POST /api/campaigns/create-campaign',
    summary:
      'Create an RCS campaign from a file or a list of numbers; it is validated immediately and becomes ready to start',
    roles: ['user', 'manager'],
    module: 'campaign',
    scope: 'campaigns:write',
    body: DraftBasics.pick({ schedule: true, skipRecent: true, frequencyCap: true }).extend({
      campaignName: Name,
      botId: z.string().trim().min(1).max(200),
      templateId: Id,
      numbers: z.array(z.string().max(40)).max(50_000).optional(),
      variables: RcsValues.shape.variables,
      phoneColumn: z.coerce.number().int().min(0).max(255).optional(),
      defaultCountry: AudienceMapping.shape.defaultCountry,
      smsFailover: Flag.default(false),
      smsFailoverConditions: z.array(FailoverCondition).max(8).default([]),
      smsTemplate: Id.optional(),
      smsAccountId: Id.optional(),
      smsCustomParams: z.array(VariableSource).max(60).default([]),
    }),
    files: { file: { maximumBytes: maximumAudienceBytes, optional: true } },
    maximumBodyBytes: numbersBodyBytes,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Failed to create campaign',
  },
})
