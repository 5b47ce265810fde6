import type { ButtonKind } from '@carillon/contract/message-traits'
import { bracedPieces } from '../../ui/phone/pieces.ts'
import type { ChannelChat } from '../channel-chat.ts'
import type { RcsPhoneSuggestion } from './phone/rcs-message.ts'

const suggestionKinds: Record<ButtonKind, RcsPhoneSuggestion['kind']> = {
  reply: 'reply',
  url: 'open_url',
  call: 'dial',
  location: 'view_location',
  calendar: 'create_calendar_event',
  copy: 'reply',
}

export const rcsChat: ChannelChat = {
  messageOf: ({ sender, traits, values }) => ({
    channel: 'rcs',
    sender,
    pieces: bracedPieces(traits.text, (name) => ({ value: values[name], label: name })),
    suggestions: traits.buttons.map(({ kind, text }) => ({
      kind: suggestionKinds[kind],
      text,
      effect: kind === 'reply' ? `Sends “${text}” to you as a message` : 'Opens on the phone',
    })),
  }),
}
