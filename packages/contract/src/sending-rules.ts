import { z } from 'zod'
import { defineEndpoints } from './endpoint.ts'

/** Whether an opt-out stops messages of the channel that it was given on, or of every channel. */
export const OptOutReach = z.enum(['channel', 'all'])
export type OptOutReach = z.infer<typeof OptOutReach>

/**
 * How many marketing campaigns a person gets, over all channels of the organisation. A campaign that falls back to another channel
 * counts once. Messages that other campaigns have in flight at the same moment are not counted yet.
 */
export const FrequencyCap = z.object({
  messages: z.number().int().min(1, 'At least one').max(100, 'At most 100'),
  days: z.number().int().min(1, 'At least a day').max(30, 'At most 30 days'),
  /** `postpone`: sent as soon as the cap allows, if the campaign has not ended by then. */
  action: z.enum(['skip', 'postpone']),
})
export type FrequencyCap = z.infer<typeof FrequencyCap>

export const SendingRules = z.object({
  optOutScope: OptOutReach,
  frequencyCap: FrequencyCap.nullable(),
})
export type SendingRules = z.infer<typeof SendingRules>

/** Rules of an organisation for messages of every channel. */
export const sendingRulesEndpoints = defineEndpoints({
  'sendingRules.get': {
    route: 'GET /api/v1/sending-rules',
    summary: 'How far opt-outs reach, and how many marketing campaigns a person gets',
    roles: ['user', 'manager', 'department_head'],
    data: SendingRules,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'sendingRules.update': {
    route: 'PUT /api/v1/sending-rules',
    summary: 'Replace these rules; they apply to messages that are not sent yet',
    roles: ['manager'],
    body: SendingRules,
    data: SendingRules,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
