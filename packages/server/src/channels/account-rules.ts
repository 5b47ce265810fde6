import type { LimitKey } from '@carillon/contract/limits'

/** How texts and the audit log name a channel's accounts with providers. */
export type AccountRules = {
  /** The noun for an account in texts. */
  name: string
  /** The types of objects in the audit log, and the first word of their actions. Stored, so they never change. */
  audited: { account: string; sender: string }
  /** The limit that counts the senders of an organisation. */
  limit?: LimitKey
}

/** How a provider's statuses of a line are interpreted. For channels whose providers list the senders of an account. */
export type LineRules = {
  /** The noun for a line in texts: 'Phone number'. */
  name: string
  isRegistered(status: string): boolean
  /** The provider accepts no messages from it, at most for test phones. */
  isStopped(status: string): boolean
  /** Campaigns that were paused because a line was stopped resume once it is no longer. Otherwise a user resumes them. */
  resumes: boolean
  /** Why it cannot be activated; undefined if it can. */
  findObstacle(line: { isRegistered: boolean; status: string }): string | undefined
  /** The notification for the organisation when the provider's description of a line has changed; undefined if none is needed. */
  describeChange?(before: unknown, now: unknown): string | undefined
}
