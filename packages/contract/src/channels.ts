import { z } from 'zod'

export const Channel = z.enum(['sms', 'rcs', 'whatsapp', 'voice', 'email'])
export type Channel = z.infer<typeof Channel>

/** Channels enabled for an organisation. */
export const ChannelFlags = z.object({
  sms: z.boolean(),
  rcs: z.boolean(),
  whatsapp: z.boolean(),
  voice: z.boolean(),
  email: z.boolean(),
})
export type ChannelFlags = z.infer<typeof ChannelFlags>
