import type { ButtonKind } from '@carillon/contract/message-traits'
import { bracedPieces } from '../../ui/phone/pieces.ts'
import type { ChannelChat } from '../channel-chat.ts'
import { findFormats } from './phone/whatsapp-format.ts'
import type { WhatsappPhoneButton } from './phone/whatsapp-message.ts'

const buttonKinds: Record<ButtonKind, WhatsappPhoneButton['kind']> = {
  reply: 'reply',
  url: 'url',
  call: 'phone',
  location: 'url',
  calendar: 'url',
  copy: 'copy',
}

export const whatsappChat: ChannelChat = {
  formatsOf: findFormats,
  wayOf: (address) => ({ address, link: `https://wa.me/${address.replaceAll(/\D/g, '')}` }),
  messageOf: ({ sender, traits, values }) => {
    const fill = (name: string) => ({ value: values[name], label: name })
    return {
      channel: 'whatsapp',
      sender,
      header: traits.heading ? { kind: 'text', pieces: bracedPieces(traits.heading, fill) } : undefined,
      pieces: bracedPieces(traits.text, fill),
      footer: traits.footer || undefined,
      buttons: traits.buttons.map(({ kind, text }) => ({ kind: buttonKinds[kind], text })),
    }
  },
}
