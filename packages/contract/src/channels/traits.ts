import type { Channel } from '../channels.ts'
import type { Role } from '../roles.ts'

/** Facts about a channel that the server and the browser share. Plain data, so that a screen can use it without schemas. */
export type ChannelTraits = {
  /** The name on screens and in messages. */
  label: string
  /** Whether this release sends over it. */
  isSupported: boolean
  /** What rate cards count and price. */
  unit: 'part' | 'message'
  hasReadReceipts: boolean
  /** Whether landlines and service numbers can receive it. */
  reachesLandlines: boolean
  /** Whether anything but an approved template goes only to people who wrote within the last day. */
  hasServiceWindow: boolean
  /** What a person may opt out of: all its messages, or only marketing. */
  optOutScopes: readonly { scope: string; label: string; isMarketingOnly: boolean }[]
  /** Words in the name of a file's column that holds its addresses. */
  columnNames: readonly string[]
  /** Roles that may create a campaign that begins on it. */
  campaignRoles: readonly Role[]
  /** Channels that a campaign can fail over to from it. */
  failoverTo: readonly Channel[]
}
