import type { OptOutScope } from '@carillon/contract/opt-outs'
import type { CallInput } from '../lib/call.ts'

/** Labels of what the database keeps about the channel. */
export type ChannelRecords = {
  /** Actions of the audit log, as text that follows a name: 'Meera Joshi connected an account'. */
  actions: Readonly<Record<string, string>>
  /** Groups of actions to filter by; the value is how an action of it begins. */
  actionGroups: readonly { value: string; label: string }[]
  /** What somebody can opt out of. */
  optOuts: readonly { scope: OptOutScope; label: string; help: string }[]
  /** The list from which a number is removed. */
  optOutList: CallInput<'optOuts.remove'>['path']['channel']
  /** An opt-out that somebody set in the channel's own app. */
  appOptOut?: { label: string; text: string }
}
