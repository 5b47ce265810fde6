import type { Row, Template } from './objects.ts'
import { isRow, toText } from './reading.ts'

export type Variable = string

export type TextPlan = { text: string; variables: Variable[] }

export type ButtonPlan = {
  type: string
  text: string
  url: string | undefined
  hasVariable: boolean
  phoneNumber: string | undefined
  isCode: boolean
}

export type HeaderPlan =
  | ({ format: 'TEXT' } & TextPlan)
  | { format: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'GIF' | 'LOCATION' | 'PRODUCT' }

/** A template compiled once for all its messages. */
export type TemplatePlan = {
  header: HeaderPlan | undefined
  body: TextPlan
  footer: string | undefined
  buttons: ButtonPlan[]
  cards: TemplatePlan[]
  offer: { text: string; hasExpiration: boolean } | undefined
}

const planByTemplate = new WeakMap<Template, { revision: number; plan: TemplatePlan }>()

export function planOf(template: Template): TemplatePlan {
  const known = planByTemplate.get(template)
  if (known?.revision === template.revision) return known.plan
  const plan = makePlan(template.components, template.category === 'AUTHENTICATION')
  planByTemplate.set(template, { revision: template.revision, plan })
  return plan
}

export function makePlan(components: Row[], isAuthentication = false): TemplatePlan {
  const byType = new Map(components.map((component) => [typeText(component), component]))
  const buttons = byType.get('BUTTONS')?.buttons
  const cards = byType.get('CAROUSEL')?.cards
  const offer = byType.get('LIMITED_TIME_OFFER')?.limited_time_offer
  return {
    header: planHeader(byType.get('HEADER')),
    body: isAuthentication ? authenticationBody(byType.get('BODY')) : planText(toText(byType.get('BODY')?.text)),
    footer: isAuthentication ? authenticationFooter(byType.get('FOOTER')) : textIn(byType.get('FOOTER')),
    buttons: Array.isArray(buttons) ? buttons.filter(isRow).map(planButton) : [],
    cards: Array.isArray(cards)
      ? cards.filter(isRow).map((card) => makePlan(Array.isArray(card.components) ? card.components.filter(isRow) : []))
      : [],
    offer: isRow(offer) ? { text: toText(offer.text), hasExpiration: offer.has_expiration === true } : undefined,
  }
}

export function typeText(component: Row): string {
  return toText(component.type).toUpperCase()
}

/** Variables in order of first appearance; numbered ones by number. */
export function listVariables(text: string): Variable[] {
  const names = [...new Set([...text.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map((match) => match[1] ?? ''))]
  return names.every((name) => /^\d+$/.test(name)) ? names.toSorted((one, other) => Number(one) - Number(other)) : names
}

export function planText(text: string): TextPlan {
  return { text, variables: listVariables(text) }
}

const headerFormats = ['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF', 'LOCATION', 'PRODUCT'] as const

function planHeader(component: Row | undefined): HeaderPlan | undefined {
  if (!component) return undefined
  const format = headerFormats.find((each) => each === toText(component.format).toUpperCase())
  return format ? { format } : { format: 'TEXT', ...planText(toText(component.text)) }
}

function planButton(button: Row): ButtonPlan {
  const type = typeText(button)
  const url = typeof button.url === 'string' ? button.url : undefined
  return {
    type,
    text: typeof button.text === 'string' ? button.text : type === 'OTP' || type === 'COPY_CODE' ? 'Copy code' : type,
    url,
    hasVariable: url !== undefined && listVariables(url).length > 0,
    phoneNumber: typeof button.phone_number === 'string' ? button.phone_number : undefined,
    isCode: type === 'OTP',
  }
}

/** Authentication templates have a fixed text by Meta. */
function authenticationBody(component: Row | undefined): TextPlan {
  const advice = component?.add_security_recommendation === true ? ' For your security, do not share this code.' : ''
  return planText(`*{{1}}* is your verification code.${advice}`)
}

function authenticationFooter(component: Row | undefined): string | undefined {
  const minutes = component?.code_expiration_minutes
  return typeof minutes === 'number' ? `This code expires in ${minutes} minutes.` : undefined
}

function textIn(component: Row | undefined): string | undefined {
  return typeof component?.text === 'string' ? component.text : undefined
}
