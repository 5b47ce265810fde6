import type { LimitKey } from '@carillon/contract/limits'

/** How texts and the audit log name a channel's accounts with providers. */
export type AccountRules = {
  /** As texts name an account. */
  name: string
  /** The types of objects in the audit log, and the first word of their actions. Stored, so they never change. */
  audited: { account: string; sender: string }
  /** The limit that counts the senders of an organisation. */
  limit?: LimitKey
}

/** What it means what a provider says of a line. For channels whose providers list the senders of an account. */
export type LineRules = {
  /** As texts name a line: 'Phone number'. */
  name: string
  isRegistered(status: string): boolean
  /** The provider accepts no message from it. */
  isStopped(status: string): boolean
  /** Why it cannot be switched on; undefined if it can. */
  findObstacle(line: { isRegistered: boolean; status: string }): string | undefined
}
