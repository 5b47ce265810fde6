import { z } from 'zod'
import { Id } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'

/** A bot that can be chosen for a template or a campaign. */
export const RcsBotChoice = z.object({
  _id: Id,
  /** The provider's id. */
  botId: z.string(),
  name: z.string(),
  /** Brand colour, as #rrggbb. */
  color: z.string(),
  logoUrl: z.string().nullable(),
  isVerified: z.boolean(),
  /** Whether it can send now. */
  isActive: z.boolean(),
})
export type RcsBotChoice = z.infer<typeof RcsBotChoice>

export const rcsBotEndpoints = defineEndpoints({
  'bots.botIds': {
    route: 'GET /api/v1/bots/botIds',
    summary: 'The bots that the caller may use',
    roles: ['user', 'manager', 'department_head'],
    module: 'template',
    data: z.array(RcsBotChoice),
    fallback: 'An unexpected error occurred',
  },
})
