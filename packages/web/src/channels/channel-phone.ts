import type { ComponentType } from 'react'
import type { PhoneSystem } from '../ui/phone/device.tsx'
import type { MessagePart } from '../ui/phone/pieces.ts'
import type { PhoneMessage } from './phone/phone-message.ts'

export type PhoneScreenProps = {
  message: PhoneMessage
  system: PhoneSystem
  /** Default: 'Today'. */
  day?: string
  time: string
  /** Draws a line at the start of each further part of a long message. */
  showParts?: boolean
  pricePerPart?: number | null | undefined
  /** The variable whose field has the focus, outlined. */
  focusedVariable?: string | undefined
  /** Called when a variable is pressed, to focus its field. */
  onVariable?: ((variable: string) => void) | undefined
  /** The focused part of a rich message. */
  focusedPart?: MessagePart | undefined
  onPart?: ((part: MessagePart) => void) | undefined
}

/** How a message of the channel is shown on a phone. */
export type ChannelPhone = {
  /** The screen's content; the frame is the same for every channel. */
  Screen: ComponentType<PhoneScreenProps>
  /** Whether long messages are sent and charged in parts. */
  hasParts: boolean
  /** Label of a toggle that shows the phone of a person who cannot receive the channel; absent if everybody can. */
  withoutLabel?: string
  /** The full text, in display order. */
  textOf: (message: PhoneMessage) => string
  /** Example messages; the first is the one to show. */
  examples: readonly PhoneMessage[]
  /** An example text to a person who registers. */
  greetingOf?: (text: string) => PhoneMessage
}
