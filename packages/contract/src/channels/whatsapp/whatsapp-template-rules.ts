import { listTemplateVariables, templateVariable } from './whatsapp-template-variables.ts'
import type {
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateSample,
  WhatsappCategory,
  WhatsappTemplateInput,
} from './whatsapp-templates.ts'

export type TemplateFinding = {
  /** Path in the input: `name`, `components.body`, `components.buttons.1.text`. */
  field: string
  message: string
  /** `error`: Meta rejects it. `advice`: Meta may reject it, or recipients may notice it. */
  level: 'error' | 'advice'
}

export const templateLimits = {
  name: 512,
  headerText: 60,
  body: 1024,
  footer: 60,
  buttons: 10,
  buttonText: 25,
  url: 2000,
  copyCode: 15,
  cardBody: 160,
  cards: 10,
} as const

/** Allowed delivery time-to-live in seconds. */
export const timeToLiveRanges: Record<WhatsappCategory, readonly [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}

/** All template rules of Meta that can be checked before its review, and advice, by field. */
export function checkWhatsappTemplate(input: WhatsappTemplateInput): TemplateFinding[] {
  const parts = input.category === 'AUTHENTICATION' ? checkAuthentication(input) : checkParts(input)
  return [...checkName(input.name), ...parts, ...checkTimeToLive(input)]
}

function checkParts(input: WhatsappTemplateInput): TemplateFinding[] {
  return [
    ...checkHeader(input),
    ...checkBody(input),
    ...checkFooter(input.components.footer),
    ...checkButtons(input.components.buttons, { at: 'components.buttons', category: input.category }),
    ...checkCards(input),
    ...checkCategory(input),
  ]
}

const error = (field: string, message: string): TemplateFinding => ({ field, message, level: 'error' })
const advice = (field: string, message: string): TemplateFinding => ({ field, message, level: 'advice' })

function checkName(name: string): TemplateFinding[] {
  if (name === '') return [error('name', 'Enter a name')]
  if (name.length > templateLimits.name) return [error('name', `At most ${templateLimits.name} characters`)]
  return /^[a-z0-9_]+$/.test(name) ? [] : [error('name', 'Only lower-case letters a–z, digits and _ are allowed')]
}

const markdown = /[*_~`]/
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u

function checkHeader({ components, parameterFormat }: WhatsappTemplateInput): TemplateFinding[] {
  const at = 'components.header'
  const { header, cards } = components
  if (!header) return []
  if (cards.length > 0) return [error(at, 'A carousel template has no header: its cards have one')]
  if (header.format === 'LOCATION') return []
  if (header.format !== 'TEXT') return checkHandle(header, at)

  const { text, sample } = header
  if (text.trim() === '') return [error(`${at}.text`, 'Enter the header, or choose none')]
  const names = listTemplateVariables(text)
  return [
    ...checkLength(`${at}.text`, text, templateLimits.headerText),
    ...(names.length > 1 ? [error(`${at}.text`, 'A header has at most one variable')] : []),
    ...(/[\r\n]/.test(text) ? [error(`${at}.text`, 'A header is one line')] : []),
    ...(markdown.test(withoutVariables(text)) ? [error(`${at}.text`, 'A header cannot contain * _ ~ or `')] : []),
    ...(emoji.test(text) ? [error(`${at}.text`, 'A header cannot contain emoji')] : []),
    ...checkVariableNames(text, { at: `${at}.text`, parameterFormat }),
    ...(names.length > 0 && sample.trim() === '' ? [error(`${at}.sample`, `Enter a sample for {{${names[0]}}}`)] : []),
  ]
}

function checkHandle(header: TemplateHeader, at: string): TemplateFinding[] {
  if (!('handle' in header) || header.handle !== '') return []
  return [error(`${at}.handle`, `Upload a sample ${header.format.toLowerCase()}: Meta reviews it`)]
}

function checkBody({ components, parameterFormat }: WhatsappTemplateInput): TemplateFinding[] {
  const { body, samples } = components
  if (body.trim() === '') return [error('components.body', 'Enter the message')]
  return [
    ...checkLength('components.body', body, templateLimits.body),
    ...checkText(body, { at: 'components.body', parameterFormat }),
    ...checkSamples(body, { at: 'components.samples', samples }),
  ]
}

type TextRules = { at: string; parameterFormat: WhatsappTemplateInput['parameterFormat'] }

/** Position and number of variables in a text. */
function checkText(text: string, rules: TextRules): TemplateFinding[] {
  const { at } = rules
  const trimmed = text.trim()
  const names = listTemplateVariables(text)
  const first = names[0]
  const last = trimmed.match(/\{\{\s*([^{}]*?)\s*\}\}$/)?.[1]
  return [
    ...checkVariableNames(text, rules),
    ...(trimmed.startsWith('{{') && first !== undefined
      ? [error(at, `It begins with a variable. Write a word before {{${first}}}`)]
      : []),
    ...(last === undefined ? [] : [error(at, `It ends with a variable. Write a word after {{${last}}}`)]),
    ...(/\}\}\s*\{\{/.test(text) ? [error(at, 'Two variables are adjacent. Write a word between them')] : []),
    ...(/\n{3,}|\t| {5,}/.test(text)
      ? [error(at, 'At most two line breaks or four spaces in a row, and no tabs')]
      : []),
    ...checkShare(text, { at, count: text.match(templateVariable)?.length ?? 0 }),
  ]
}

/** Meta does not publish the ratio. Texts with fewer words than variables are always rejected. */
function checkShare(text: string, { at, count }: { at: string; count: number }): TemplateFinding[] {
  const words = withoutVariables(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0
  if (count > words) return [error(at, `Too many variables for so few words: ${count} beside ${words}`)]
  if (count * 2 < words || count === 0) return []
  return [
    advice(
      at,
      `Many variables for ${words === 1 ? 'one word' : `${words} words`}: Meta may reject it. Use more words, or fewer variables`,
    ),
  ]
}

function checkVariableNames(text: string, { at, parameterFormat }: TextRules): TemplateFinding[] {
  if (/\{\{|\}\}/.test(withoutVariables(text)))
    return [error(at, 'A variable is not closed: write {{1}} with two braces')]
  const names = listTemplateVariables(text)
  const isPositional = parameterFormat === 'positional'
  const strange = names.find((name) => !(isPositional ? /^[1-9]\d*$/ : /^[a-z][a-z0-9_]*$/).test(name))
  if (strange !== undefined) {
    const form = isPositional ? 'numbers: {{1}}' : 'a name of a–z, digits and _: {{first_name}}'
    return [error(at, `{{${strange}}} is not a variable. Variables are ${form}`)]
  }
  const missing = isPositional ? names.findIndex((_, index) => !names.includes(String(index + 1))) : -1
  return missing === -1 ? [] : [error(at, `{{${missing + 1}}} is missing: variables run from {{1}} without gaps`)]
}

type SampleRules = { at: string; samples: readonly TemplateSample[] }

function checkSamples(text: string, { at, samples }: SampleRules): TemplateFinding[] {
  return listTemplateVariables(text).flatMap((name, index) => {
    const place = samples.findIndex((sample) => sample.name === name)
    const value = samples[place]?.sample.trim() ?? ''
    const field = `${at}.${place === -1 ? index : place}`
    if (value === '') return [error(field, `Enter a sample for {{${name}}}`)]
    return /\{\{|\}\}/.test(value) ? [error(field, `The sample for {{${name}}} is a variable itself`)] : []
  })
}

function checkFooter(footer: string): TemplateFinding[] {
  return [
    ...checkLength('components.footer', footer, templateLimits.footer),
    ...(/\{\{|\}\}/.test(footer) ? [error('components.footer', 'A footer cannot contain variables')] : []),
    ...(/[\r\n]/.test(footer) ? [error('components.footer', 'A footer is one line')] : []),
  ]
}

type ButtonRules = { at: string; category: WhatsappCategory }

const most: readonly [TemplateButton['type'], number, string][] = [
  ['URL', 2, 'At most two links'],
  ['PHONE_NUMBER', 1, 'At most one phone number'],
  ['COPY_CODE', 1, 'At most one copy-code button'],
]

function checkButtons(buttons: readonly TemplateButton[], { at, category }: ButtonRules): TemplateFinding[] {
  const count = (type: TemplateButton['type']) => buttons.filter((button) => button.type === type).length
  const isReply = buttons.map(({ type }) => type === 'QUICK_REPLY')
  const changes = isReply.filter((reply, index) => index > 0 && reply !== isReply[index - 1]).length
  const labels = buttons.map((button) => ('text' in button ? button.text.trim().toLowerCase() : ''))
  const tooMany = most.filter(([type, maximum]) => count(type) > maximum)
  return [
    ...(buttons.length > templateLimits.buttons ? [error(at, `At most ${templateLimits.buttons} buttons`)] : []),
    ...tooMany.map(([, , message]) => error(at, message)),
    ...(count('OTP') > 0 ? [error(at, 'A one-time code button is for authentication templates only')] : []),
    ...(count('COPY_CODE') > 0 && category !== 'MARKETING'
      ? [error(at, 'A copy-code button is for marketing templates only')]
      : []),
    ...(changes > 1 ? [error(at, 'Quick replies must be grouped, not between other buttons')] : []),
    ...labels.flatMap((label, index) =>
      label !== '' && labels.indexOf(label) < index
        ? [error(`${at}.${index}.text`, 'Another button has the same text')]
        : [],
    ),
    ...buttons.flatMap((button, index) => checkButton(button, `${at}.${index}`)),
    ...(buttons.length > 3 ? [advice(at, 'With more than three buttons people see two and ‘See all options’')] : []),
  ]
}

function checkButton(button: TemplateButton, at: string): TemplateFinding[] {
  if (button.type === 'OTP') return []
  if (button.type === 'COPY_CODE') return checkCopyCode(button.sample, at)
  return [
    ...checkLabel(button.text, `${at}.text`),
    ...(button.type === 'URL' ? checkUrl(button, at) : []),
    ...(button.type === 'PHONE_NUMBER' && !/^\+?[1-9]\d{6,18}$/.test(button.phone_number.replaceAll(/[\s()-]/g, ''))
      ? [error(`${at}.phone_number`, 'Enter the number with its country code: +91 98765 43210')]
      : []),
  ]
}

function checkLabel(text: string, at: string): TemplateFinding[] {
  if (text.trim() === '') return [error(at, 'Enter what the button says')]
  return [
    ...checkLength(at, text, templateLimits.buttonText),
    ...(/\{\{|\}\}|[\r\n]/.test(text) ? [error(at, 'A button cannot contain variables or line breaks')] : []),
    ...(markdown.test(text) ? [error(at, 'A button cannot contain * _ ~ or `')] : []),
    ...(emoji.test(text) ? [advice(at, 'Meta often rejects emoji on a button')] : []),
  ]
}

function checkCopyCode(sample: string, at: string): TemplateFinding[] {
  if (sample.trim() === '') return [error(`${at}.sample`, 'Give a sample code')]
  return checkLength(`${at}.sample`, sample, templateLimits.copyCode)
}

const shortened = /^https?:\/\/(?:www\.)?(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|is\.gd|cutt\.ly|wa\.me)\//i

function checkUrl({ url, sample }: { url: string; sample: string }, at: string): TemplateFinding[] {
  const names = url.match(templateVariable) ?? []
  const field = `${at}.url`
  const address = url.replace(templateVariable, '')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(address)) return [error(field, 'Enter a full URL with https://')]
  const isMisplaced = names.length > 1 || /[{}]/.test(address) || (names.length === 1 && !/\{\{\s*1\s*\}\}$/.test(url))
  return [
    ...checkLength(field, url, templateLimits.url),
    ...(isMisplaced ? [error(field, 'A link has at most one variable, {{1}}, at its end')] : []),
    ...(names.length > 0 && sample.trim() === ''
      ? [error(`${at}.sample`, 'Enter a sample for {{1}} of the link')]
      : []),
    ...(shortened.test(url) ? [advice(field, 'Meta rejects shortened links and wa.me: use your own domain')] : []),
  ]
}

function checkCards(input: WhatsappTemplateInput): TemplateFinding[] {
  const { cards, footer, buttons } = input.components
  if (cards.length === 0) return []
  const at = 'components.cards'
  const shapes = new Set(cards.map(shapeOf))
  return [
    ...(cards.length < 2 || cards.length > templateLimits.cards
      ? [error(at, `A carousel has two to ${templateLimits.cards} cards`)]
      : []),
    ...(footer === '' ? [] : [error('components.footer', 'A carousel template has no footer')]),
    ...(buttons.length === 0
      ? []
      : [error('components.buttons', 'In a carousel template the buttons are on the cards')]),
    ...(shapes.size > 1
      ? [error(at, 'All cards need the same structure: kind of header, text on each or on none, kinds of buttons')]
      : []),
    ...cards.flatMap((card, index) => checkCard(card, input, `${at}.${index}`)),
  ]
}

function shapeOf({ header, body, buttons }: TemplateCard): string {
  return [header.format, body.trim() !== '', ...buttons.map(({ type }) => type)].join(' ')
}

function checkCard(card: TemplateCard, input: WhatsappTemplateInput, at: string): TemplateFinding[] {
  const { header, body, samples, buttons } = card
  const isMedia = header.format === 'IMAGE' || header.format === 'VIDEO'
  return [
    ...(isMedia
      ? checkHandle(header, `${at}.header`)
      : [error(`${at}.header`, 'A card begins with an image or a video')]),
    ...checkLength(`${at}.body`, body, templateLimits.cardBody),
    ...(body.trim() === '' ? [] : checkText(body, { at: `${at}.body`, parameterFormat: input.parameterFormat })),
    ...checkSamples(body, { at: `${at}.samples`, samples }),
    ...(buttons.length === 0 || buttons.length > 2 ? [error(`${at}.buttons`, 'A card has one or two buttons')] : []),
    ...checkButtons(buttons, { at: `${at}.buttons`, category: input.category }),
  ]
}

/** Meta writes the header, text and footer of an authentication template; it has one button. */
function checkAuthentication({ components }: WhatsappTemplateInput): TemplateFinding[] {
  const { header, body, footer, buttons, cards } = components
  const own = 'Meta writes the text of an authentication template itself'
  const [button] = buttons
  return [
    ...(header ? [error('components.header', `${own}: it has no header`)] : []),
    ...(body.trim() === '' ? [] : [error('components.body', own)]),
    ...(footer === '' ? [] : [error('components.footer', own)]),
    ...(cards.length === 0 ? [] : [error('components.cards', 'An authentication template has no cards')]),
    ...(buttons.length === 1 && button?.type === 'OTP'
      ? checkOtp(button)
      : [error('components.buttons', 'An authentication template has one button, for its code')]),
  ]
}

type OtpButton = Extract<TemplateButton, { type: 'OTP' }>

function checkOtp({ otp_type, text, autofill_text, supported_apps }: OtpButton): TemplateFinding[] {
  const at = 'components.buttons.0'
  const needsApp = otp_type !== 'COPY_CODE'
  return [
    ...checkLength(`${at}.text`, text, templateLimits.buttonText),
    ...checkLength(`${at}.autofill_text`, autofill_text, templateLimits.buttonText),
    ...(needsApp && supported_apps.length === 0
      ? [error(`${at}.supported_apps`, 'Enter the app that receives the code')]
      : []),
    ...supported_apps.flatMap(({ package_name, signature_hash }, index) => [
      ...(/^[a-zA-Z]\w*(?:\.[a-zA-Z]\w*)+$/.test(package_name) && package_name.length <= 224
        ? []
        : [error(`${at}.supported_apps.${index}.package_name`, 'Enter the package as com.example.app')]),
      ...(/^[A-Za-z0-9+/=]{11}$/.test(signature_hash)
        ? []
        : [error(`${at}.supported_apps.${index}.signature_hash`, 'The signature has 11 characters')]),
    ]),
  ]
}

function checkTimeToLive({ category, components }: WhatsappTemplateInput): TemplateFinding[] {
  const seconds = components.timeToLiveSeconds
  const [least, longest] = timeToLiveRanges[category]
  if (seconds === undefined || (seconds >= least && seconds <= longest)) return []
  return [error('components.timeToLiveSeconds', `${category.toLowerCase()}: from ${least} to ${longest} seconds`)]
}

const promotion =
  /\b(?:sale|offers?|discounts?|deals?|coupons?|promo|promotion|cashback|buy now|shop now|hurry|limited time|free gift|\d+ ?% off|₹ ?\d+ off)\b/iu

function checkCategory({ category, components }: WhatsappTemplateInput): TemplateFinding[] {
  const { body, footer, buttons } = components
  if (category === 'UTILITY') {
    const found = `${body}\n${footer}`.match(promotion)?.[0]
    if (!found) return []
    return [advice('category', `‘${found}’ sounds like marketing: Meta may change the category, and the price with it`)]
  }
  const labels = buttons.map((button) => ('text' in button ? button.text : '')).join('\n')
  if (/\bstop\b|opt[ -]?out|unsubscribe/i.test(`${body}\n${footer}\n${labels}`)) return []
  return [
    advice(
      'components.footer',
      'Tell people how to opt out, for example ‘Reply STOP to opt out’: fewer will block you',
    ),
  ]
}

function checkLength(field: string, text: string, longest: number): TemplateFinding[] {
  const length = Array.from(text).length
  return length > longest ? [error(field, `${length} characters: at most ${longest}`)] : []
}

const withoutVariables = (text: string) => text.replace(templateVariable, ' ')
