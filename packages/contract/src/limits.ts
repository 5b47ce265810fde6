import { z } from 'zod'

/**
 * What an account can be limited in, for itself and everyone below it. Each is enforced in one place, named in the
 * server's registry; a key for what the product does not have yet would be a promise without a keeper.
 */
export const LimitKey = z.enum([
  'users',
  'sub_accounts',
  'sms_accounts',
  'templates',
  'campaigns_running',
  'recipients_per_campaign',
  'messages_per_day',
  'messages_per_month',
  'spend_per_day',
  'storage_mb',
])
export type LimitKey = z.infer<typeof LimitKey>
