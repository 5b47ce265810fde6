import { z } from 'zod'

export const Channel = z.enum(['sms', 'rcs', 'whatsapp', 'voice', 'email'])
export type Channel = z.infer<typeof Channel>

/** Which channels an organisation uses. */
export const ChannelFlags = z.object({
  sms: z.boolean(),
  rcs: z.boolean(),
  whatsapp: z.boolean(),
  voice: z.boolean(),
  email: z.boolean(),
})
export type ChannelFlags = z.infer<typeof ChannelFlags>
