import type {
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateSample,
  WhatsappCategory,
  WhatsappTemplateContent,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { WhatsappMessage, WhatsappPhoneButton, WhatsappPhoneHeader } from './phone/whatsapp-message.ts'
import { bracedPieces } from '../../ui/phone/pieces.ts'

type Shown = {
  sender: string
  category: WhatsappCategory
  /** URLs of header media, by handle. */
  mediaUrls?: Readonly<Record<string, string>> | undefined
  /** With sample values, or with the variables' names. */
  withSamples?: boolean | undefined
}

/** A template as shown on its recipient's phone. */
export function phoneMessageOf(content: WhatsappTemplateContent, shown: Shown): WhatsappMessage {
  const { sender, category } = shown
  if (category === 'AUTHENTICATION') return authenticationMessage(content, sender)
  const { header, body, samples, footer, buttons, cards } = content
  return {
    channel: 'whatsapp',
    sender,
    header: header ? headerOf(header, shown) : undefined,
    pieces: piecesWithSamples(body, samples, shown),
    footer,
    buttons: buttons.map(buttonOf),
    cards: cards.map((card) => cardOf(card, shown)),
    folds: category === 'MARKETING',
  }
}

/** Text that Meta adds itself: the code, a warning and its expiry. */
function authenticationMessage(content: WhatsappTemplateContent, sender: string): WhatsappMessage {
  const { securityRecommendation, codeExpirationMinutes, buttons } = content
  const warning = securityRecommendation ? ' For your security, do not share this code.' : ''
  return {
    channel: 'whatsapp',
    sender,
    pieces: [{ text: '482913', variable: '1' }, { text: ` is your verification code.${warning}` }],
    footer: codeExpirationMinutes === undefined ? '' : `This code expires in ${codeExpirationMinutes} minutes.`,
    buttons: buttons.map(buttonOf),
  }
}

function piecesWithSamples(text: string, samples: readonly TemplateSample[], { withSamples = true }: Shown) {
  return bracedPieces(text, (name) => ({
    value: withSamples ? samples.find((sample) => sample.name === name)?.sample : undefined,
  }))
}

function headerOf(header: TemplateHeader, shown: Shown): WhatsappPhoneHeader {
  if (header.format === 'LOCATION') return { kind: 'location' }
  if (header.format === 'TEXT') {
    const samples = [...header.text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((found) => ({
      name: found[1] ?? '',
      sample: header.sample,
    }))
    return { kind: 'text', pieces: piecesWithSamples(header.text, samples, shown) }
  }
  return { kind: mediaKinds[header.format], url: shown.mediaUrls?.[header.handle] }
}

const mediaKinds = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const

const buttonKinds: Record<TemplateButton['type'], WhatsappPhoneButton['kind']> = {
  QUICK_REPLY: 'reply',
  URL: 'url',
  PHONE_NUMBER: 'phone',
  COPY_CODE: 'copy',
  OTP: 'copy',
}

function buttonOf(button: TemplateButton): WhatsappPhoneButton {
  if (button.type === 'COPY_CODE') return { kind: 'copy', text: 'Copy code' }
  if (button.type !== 'OTP') return { kind: buttonKinds[button.type], text: button.text }
  const isAutofill = button.otp_type !== 'COPY_CODE'
  return {
    kind: isAutofill ? 'autofill' : 'copy',
    text: (isAutofill ? button.autofill_text : button.text) || (isAutofill ? 'Autofill' : 'Copy code'),
  }
}

function cardOf({ header, body, samples, buttons }: TemplateCard, shown: Shown) {
  return {
    header: headerOf(header, shown),
    pieces: piecesWithSamples(body, samples, shown),
    buttons: buttons.map(buttonOf),
  }
}
