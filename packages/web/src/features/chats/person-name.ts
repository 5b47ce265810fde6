import type { Conversation } from '@carillon/contract/conversation-records'
import { formatNumberName } from '../../lib/format.ts'

/** The name of the person; a number as it is written. */
export function personName({ name }: Pick<Conversation, 'name'>): string {
  return formatNumberName(name)
}

/** The first name; a number stays whole. */
export function shortName(name: string): string {
  return /^\p{L}/u.test(name) ? (name.split(/\s+/)[0] ?? name).slice(0, 40) : name
}
