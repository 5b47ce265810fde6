import type { Channel } from '../channels.ts'
import type { Role } from '../roles.ts'

/** Facts about a channel for server and browser. Plain data, so that screens can use them without loading schemas. */
export type ChannelTraits = {
  /** The name on screens and in messages. */
  label: string
  /** Whether this release sends on it. */
  isSupported: boolean
  /** The billed unit in rate cards. */
  unit: 'part' | 'message'
  /** The category of its rate cards that is charged once for a person and 24 hours, besides messages. */
  conversationCategory?: string
  hasReadReceipts: boolean
  /** Whether landlines and service numbers can receive it. */
  reachesLandlines: boolean
  /** Whether messages other than approved templates may be sent only to people who wrote within the last day. */
  hasServiceWindow: boolean
  /** Opt-out scopes: all its messages, or only marketing. */
  optOutScopes: readonly { scope: string; label: string; isMarketingOnly: boolean }[]
  /** Words in column names that identify addresses of this channel. */
  columnNames: readonly string[]
  /** Roles that may create a campaign that begins on it. */
  campaignRoles: readonly Role[]
  /** Channels to which its campaigns can fail over. */
  failoverTo: readonly Channel[]
}
