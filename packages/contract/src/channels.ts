import { z } from 'zod'

export const Channel = z.enum(['sms', 'rcs', 'whatsapp', 'voice', 'email'])
export type Channel = z.infer<typeof Channel>

/** Channels enabled for an organisation. */
export const ChannelFlags = z.record(Channel, z.boolean())
export type ChannelFlags = z.infer<typeof ChannelFlags>
