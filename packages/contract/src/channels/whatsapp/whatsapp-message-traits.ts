import type { ButtonKind, MessageTraits, TextFormat } from '../../message-traits.ts'
import { traitsOfText } from '../../plain-traits.ts'
import { listTemplateVariables } from './whatsapp-template-variables.ts'
import type { TemplateButton, WhatsappCategory, WhatsappTemplateContent } from './whatsapp-templates.ts'

/** What a WhatsApp template consists of. */
export function summarizeWhatsapp(content: WhatsappTemplateContent, category: WhatsappCategory): MessageTraits {
  const { header, body, footer, cards, buttons } = content
  if (category === 'AUTHENTICATION') return summarizeCode(content)
  const heading = header?.format === 'TEXT' ? header.text : ''
  const texts = [body, ...cards.map((card) => card.body)]
  const count = (format: string) => (header?.format === format ? 1 : 0)
  return {
    ...traitsOfText(texts.filter(Boolean).join('\n'), [heading, ...texts].flatMap(listTemplateVariables)),
    heading,
    images: count('IMAGE'),
    videos: count('VIDEO'),
    documents: count('DOCUMENT'),
    locations: count('LOCATION'),
    cards: cards.length,
    buttons: buttons.map(whatsappButton),
    formats: listFormats(body),
    footer,
  }
}

/** The text of an authentication template is Meta's. */
function summarizeCode({ buttons, codeExpirationMinutes }: WhatsappTemplateContent): MessageTraits {
  return {
    ...traitsOfText('{{1}} is your verification code.', ['1']),
    footer: codeExpirationMinutes === undefined ? '' : `This code expires in ${codeExpirationMinutes} minutes.`,
    buttons: buttons.map(whatsappButton),
  }
}

const buttonKinds: Record<TemplateButton['type'], ButtonKind> = {
  QUICK_REPLY: 'reply',
  URL: 'url',
  PHONE_NUMBER: 'call',
  COPY_CODE: 'copy',
  OTP: 'copy',
}

export function whatsappButton(button: TemplateButton): MessageTraits['buttons'][number] {
  const target = button.type === 'URL' ? button.url : button.type === 'PHONE_NUMBER' ? button.phone_number : ''
  return { kind: buttonKinds[button.type], text: 'text' in button ? button.text : '', target }
}

/** The markers of each format, around a text without spaces at its ends. */
const markers: Record<TextFormat, RegExp> = {
  bold: /(?<![\p{L}\p{N}*])\*(?=\S)[^*\n]*[^*\s]\*(?![\p{L}\p{N}*])/u,
  italic: /(?<![\p{L}\p{N}_])_(?=\S)[^_\n]*[^_\s]_(?![\p{L}\p{N}_])/u,
  strikethrough: /(?<![\p{L}\p{N}~])~(?=\S)[^~\n]*[^~\s]~(?![\p{L}\p{N}~])/u,
  monospace: /```[^`]+```/,
}

const formatNames = ['bold', 'italic', 'strikethrough', 'monospace'] as const

/** Variables may have underscores in their names. */
function listFormats(body: string): TextFormat[] {
  const text = body.replaceAll(/\{\{[^{}]*\}\}/g, 'x')
  return formatNames.filter((format) => markers[format].test(text))
}
