import {
  checkWhatsappTemplate,
  type TemplateFinding,
} from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import { listTemplateVariables } from '@carillon/contract/channels/whatsapp/whatsapp-template-variables'
import { languageLabel } from '../template-labels.tsx'
import { inputOf, type Variant, type WhatsappForm } from './form.ts'

export const sections = ['basics', 'header', 'body', 'footer', 'buttons', 'cards', 'samples'] as const
export type Section = (typeof sections)[number]

export const sectionLabels: Record<Section, string> = {
  basics: 'Basics',
  header: 'Header',
  body: 'Body',
  footer: 'Footer',
  buttons: 'Buttons',
  cards: 'Cards',
  samples: 'Samples',
}

/** Sections of a template by category. */
export function sectionsOf({ category }: WhatsappForm): readonly Section[] {
  return category === 'AUTHENTICATION' ? ['basics', 'body', 'buttons'] : sections
}

/** All findings for one language of a template, including differences from the other languages. */
export function findingsOf(form: WhatsappForm, variant: Variant): TemplateFinding[] {
  const findings = checkWhatsappTemplate(inputOf(form, variant))
  const account: TemplateFinding[] = form.waba_id
    ? []
    : [{ field: 'waba_id', message: 'Choose the WhatsApp account', level: 'error' }]
  return [...account, ...findings, ...checkParity(form, variant)]
}

/** Each language needs the same variables: a campaign sets them once for all. */
function checkParity({ variants }: WhatsappForm, variant: Variant): TemplateFinding[] {
  const [base] = variants
  if (!base || base === variant || base.content.body === '') return []
  const wanted = listTemplateVariables(base.content.body)
  const here = listTemplateVariables(variant.content.body)
  const label = languageLabel(variant.language)
  const missing = wanted.filter((name) => !here.includes(name))
  const extra = here.filter((name) => !wanted.includes(name))
  const braces = (names: string[]) => names.map((name) => `{{${name}}}`).join(', ')
  const isCopy = variant.content.body === base.content.body && variant.content.footer === base.content.footer
  return [
    ...(isCopy ? [same(`${label} has the same text as ${languageLabel(base.language)}: Meta rejects duplicates`)] : []),
    ...(missing.length > 0
      ? [advice(`${label} has no ${braces(missing)}, unlike ${languageLabel(base.language)}`)]
      : []),
    ...(extra.length > 0
      ? [advice(`${label} has ${braces(extra)}, which ${languageLabel(base.language)} does not have`)]
      : []),
  ]
}

const advice = (message: string): TemplateFinding => ({ field: 'components.body', message, level: 'advice' })

const same = (message: string): TemplateFinding => ({ field: 'components.body', message, level: 'error' })

export function sectionOf(field: string): Section {
  if (/^components\.(?:samples|header\.sample|buttons\.\d+\.sample|cards\.\d+\.samples)/.test(field)) return 'samples'
  const part = /^components\.(header|body|footer|buttons|cards)/.exec(field)?.[1]
  return sections.find((section) => section === part) ?? 'basics'
}

/** Location of a finding as text; cards and their samples are numbered. */
export function placeOf(field: string): string {
  const section = sectionLabels[sectionOf(field)]
  const card = /^components\.cards\.(\d+)/.exec(field)?.[1]
  if (card === undefined) return section
  const name = `Card ${Number(card) + 1}`
  return sectionOf(field) === 'samples' ? `${section}, ${name.toLowerCase()}` : name
}
