import type { Channel } from '@carillon/contract/channels'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'

export type ReplyParts = { parts: number; unitsLeft: number }

/** The billed parts of a written reply; undefined on channels that do not divide messages. */
export function countReplyParts(channel: Channel, text: string): ReplyParts | undefined {
  if (channel !== 'sms') return undefined
  const { parts, units, unitsPerPart } = countSmsParts(text)
  return { parts, unitsLeft: parts * unitsPerPart - units }
}
