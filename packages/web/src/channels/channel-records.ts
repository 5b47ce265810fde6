import type { OptOutScope } from '@carillon/contract/opt-outs'
import type { CallInput } from '../lib/call.ts'

/** Labels of stored values that are specific to the channel. */
export type ChannelRecords = {
  /** Actions of the audit log, as text that follows a name: 'Meera Joshi connected an account'. */
  actions: Readonly<Record<string, string>>
  /** Groups of actions to filter by; the value is the prefix of their actions. */
  actionGroups: readonly { value: string; label: string }[]
  /** Scopes of opt-outs. */
  optOuts: readonly { scope: OptOutScope; label: string; help: string }[]
  /** The name of the list from which a number is removed. */
  optOutList: CallInput<'optOuts.remove'>['path']['channel']
  /** An opt-out set in the channel's own app. */
  appOptOut?: { label: string; text: string }
}
