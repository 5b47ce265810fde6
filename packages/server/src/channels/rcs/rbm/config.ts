import { z } from 'zod'
import { markAdvanced } from '../../advanced-settings.ts'
import { rbmRegions } from '../partner.ts'

/** The forms in which Google’s documentation and samples return the secret when a webhook is validated. */
const secretReplies = ['value', 'prefixed', 'json'] as const
export type SecretReply = (typeof secretReplies)[number]

export const RbmConfig = z.object({
  agentId: z
    .string()
    .trim()
    .min(3, 'Enter the id of the agent')
    .max(200)
    .regex(/^[\w.-]+(?:@[\w.-]+)?$/, 'Enter an agent id such as my_agent@rbm.goog')
    .meta({ title: 'Agent id', description: 'Of the bot in Google’s console' }),
  region: z
    .enum(rbmRegions)
    .default('asia')
    .meta({ title: 'Region', description: 'Where the agent is hosted: asia for India' }),
  clientToken: z
    .string()
    .max(200)
    .default('')
    .meta({ title: 'Client token', description: 'Verifies callbacks; without it all are rejected', secret: true }),
  ...markAdvanced({
    secretReply: z
      .enum(secretReplies)
      .default('value')
      .meta({ title: 'Form of the secret in the webhook’s validation' }),
    concurrency: z.number().int().min(1).max(200).default(20).meta({ title: 'Concurrent requests' }),
    timeoutSeconds: z.number().int().min(1).max(120).default(20).meta({ title: 'Response timeout (seconds)' }),
  }),
})
export type RbmConfig = z.infer<typeof RbmConfig>
