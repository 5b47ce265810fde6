import type { MessageTraits } from '@carillon/contract/message-traits'
import type { Mark } from '../ui/phone/text-runs.ts'
import type { PhoneMessage } from './phone/phone-message.ts'

/** How a range of a text looks; a `marker` is not shown. */
export type TextLook = 'bold' | 'italic' | 'strike' | 'mono' | 'marker'

export type FilledTemplate = {
  /** Shown as the sender. */
  sender: string
  traits: MessageTraits
  /** By the name of the variable. */
  values: Readonly<Record<string, string>>
}

/** How a customer can write first. */
export type FirstContactWay = {
  /** What they write to. */
  address: string
  /** Opens the app with an empty message. */
  link?: string
}

/** What conversations on the channel need besides what all channels have. */
export type ChannelChat = {
  /** Ranges of a text that the channel's app formats; absent if it formats nothing. */
  formatsOf?: (text: string) => readonly Mark<TextLook>[]
  /** A template with its values, on the person's phone. */
  messageOf: (content: FilledTemplate) => PhoneMessage
  /** The billed parts of a text; absent if messages are not divided. */
  countParts?: (text: string) => { parts: number; unitsLeft: number }
  /** How a customer writes to an address of a line; absent, or undefined, if they cannot. */
  wayOf?: (address: string) => FirstContactWay | undefined
}
