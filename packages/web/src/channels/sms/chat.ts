import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { bracedPieces } from '../../ui/phone/pieces.ts'
import type { ChannelChat } from '../channel-chat.ts'

/** Names of headers cannot be written to. */
const fullNumber = /^\+?\d{10,15}$/

export const smsChat: ChannelChat = {
  wayOf: (address) => (fullNumber.test(address) ? { address } : undefined),
  messageOf: ({ sender, traits, values }) => ({
    channel: 'sms',
    sender,
    pieces: bracedPieces(traits.text, (name) => ({ value: values[name], label: name })),
  }),
  countParts(text) {
    const { parts, units, unitsPerPart } = countSmsParts(text)
    return { parts, unitsLeft: parts * unitsPerPart - units }
  },
}
