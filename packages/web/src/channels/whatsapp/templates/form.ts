import type {
  WhatsappTemplateContent,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  WhatsappCategory,
  WhatsappTemplate,
  WhatsappTemplateInput,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { alignSamples } from '../body-editing.ts'

/** One language of a template; each is a template of its own at Meta. */
export type Variant = {
  id: string | undefined
  language: string
  status: WhatsappTemplateStatus
  content: WhatsappTemplateContent
  /** The saved version; what differs is unsaved. */
  saved: string
}

export type WhatsappForm = {
  waba_id: string
  name: string
  category: WhatsappCategory
  parameterFormat: WhatsappTemplateInput['parameterFormat']
  variants: readonly Variant[]
}

const emptyContent: WhatsappTemplateContent = {
  body: '',
  samples: [],
  footer: '',
  buttons: [],
  cards: [],
  securityRecommendation: true,
}

export function emptyVariant(language: string, content = emptyContent): Variant {
  return { id: undefined, language, status: 'DRAFT', content, saved: '' }
}

export function emptyForm(wabaId: string): WhatsappForm {
  return {
    waba_id: wabaId,
    name: '',
    category: 'MARKETING',
    parameterFormat: 'positional',
    variants: [emptyVariant('en')],
  }
}

/** A template and its other languages, the chosen one first. */
export function formOf(template: WhatsappTemplate, others: readonly WhatsappTemplate[]): WhatsappForm {
  const { waba_id, name, category, parameterFormat } = template
  const siblings = others.filter(
    (other) => other.name === name && other.waba_id === waba_id && other._id !== template._id,
  )
  const form = { waba_id, name, category, parameterFormat, variants: [] }
  return { ...form, variants: [template, ...siblings].map((each) => variantOf(form, each)) }
}

function variantOf(form: WhatsappForm, { _id, language, status, components }: WhatsappTemplate): Variant {
  const variant = { id: _id, language, status, content: withSamples(components), saved: '' }
  return { ...variant, saved: JSON.stringify(inputOf(form, variant)) }
}

/** A copy starts as a draft under another name; Meta's handles of samples are valid for it as well. */
export function copyOf(template: WhatsappTemplate): WhatsappForm {
  const form = formOf(template, [])
  const name = `${template.name}_copy`.slice(0, 512)
  return { ...form, name, variants: [emptyVariant(template.language, withSamples(template.components))] }
}

export function inputOf(
  form: WhatsappForm,
  { language, content }: Pick<Variant, 'language' | 'content'>,
): WhatsappTemplateInput {
  const { waba_id, name, category, parameterFormat } = form
  return { waba_id, name: name.trim(), language, category, parameterFormat, components: content }
}

export function isSaved(form: WhatsappForm, variant: Variant): boolean {
  return variant.saved === JSON.stringify(inputOf(form, variant))
}

/** Nothing to lose: no name and no text yet. */
export function isBlank({ name, variants }: WhatsappForm): boolean {
  return name === '' && variants.every(({ content }) => JSON.stringify(content) === JSON.stringify(emptyContent))
}

/** Statuses in which Meta accepts no changes. */
export const isLocked = ({ status }: Pick<Variant, 'status'>) =>
  status === 'PENDING' ||
  status === 'IN_APPEAL' ||
  status === 'DISABLED' ||
  status === 'PENDING_DELETION' ||
  status === 'DELETED'

/** After submission, name and language cannot change. */
export const isNamed = ({ status }: Pick<Variant, 'status'>) => status !== 'DRAFT'

/** After approval, the category cannot change either. */
export const isFiled = ({ status }: Pick<Variant, 'status'>) => status !== 'DRAFT' && status !== 'REJECTED'

/** One sample per variable, possibly empty. */
function withSamples(content: WhatsappTemplateContent): WhatsappTemplateContent {
  const cards = content.cards.map((card) => ({ ...card, samples: alignSamples(card.body, card.samples) }))
  return { ...withBody(content, content.body), cards }
}

export function withBody(content: WhatsappTemplateContent, body: string): WhatsappTemplateContent {
  return { ...content, body, samples: alignSamples(body, content.samples) }
}

export const emptyHeader = (format: TemplateHeader['format']): TemplateHeader => {
  if (format === 'TEXT') return { type: 'HEADER', format, text: '', sample: '' }
  return format === 'LOCATION' ? { type: 'HEADER', format } : { type: 'HEADER', format, handle: '' }
}

export const emptyButtons: Record<TemplateButton['type'], TemplateButton> = {
  QUICK_REPLY: { type: 'QUICK_REPLY', text: '' },
  URL: { type: 'URL', text: '', url: 'https://', sample: '' },
  PHONE_NUMBER: { type: 'PHONE_NUMBER', text: '', phone_number: '+91' },
  COPY_CODE: { type: 'COPY_CODE', sample: '' },
  OTP: { type: 'OTP', otp_type: 'COPY_CODE', text: '', autofill_text: '', supported_apps: [] },
}

/** Actions before quick replies, as Meta requires and phones show them. */
export function inOrder(buttons: readonly TemplateButton[]): TemplateButton[] {
  return [
    ...buttons.filter(({ type }) => type !== 'QUICK_REPLY'),
    ...buttons.filter(({ type }) => type === 'QUICK_REPLY'),
  ]
}

/** The content for another category; authentication templates keep only their button. */
export function contentFor(category: WhatsappCategory, content: WhatsappTemplateContent): WhatsappTemplateContent {
  const { timeToLiveSeconds: _, ...kept } = content
  if (category === 'AUTHENTICATION') {
    const otp = kept.buttons.find(({ type }) => type === 'OTP') ?? emptyButtons.OTP
    return { ...emptyContent, buttons: [otp], codeExpirationMinutes: kept.codeExpirationMinutes ?? 10 }
  }
  const { codeExpirationMinutes: __, ...plain } = kept
  return { ...plain, buttons: plain.buttons.filter(({ type }) => type !== 'OTP') }
}

/** A further card has the structure of the first one. */
export function cardLike(first: TemplateCard | undefined): TemplateCard {
  if (!first) return { header: emptyHeader('IMAGE'), body: '', samples: [], buttons: [emptyButtons.URL] }
  return {
    header: emptyHeader(first.header.format),
    body: '',
    samples: [],
    buttons: first.buttons.map(({ type }) => emptyButtons[type]),
  }
}
