import { z } from 'zod'
import { channelLimits } from './channels/table.ts'

/**
 * Limits of an account, covering all accounts below it. Each is enforced in one place, listed in the server's registry. Add a key only together with
 * its enforcement.
 */
export const LimitKey = z.enum([
  'users',
  'sub_accounts',
  ...channelLimits.map(({ key }) => key),
  'templates',
  'campaigns_running',
  'recipients_per_campaign',
  'messages_per_day',
  'messages_per_month',
  'spend_per_day',
  'storage_mb',
])
export type LimitKey = z.infer<typeof LimitKey>
