import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { bracedPieces } from '../../ui/phone/pieces.ts'
import type { ChannelChat } from '../channel-chat.ts'

export const smsChat: ChannelChat = {
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
