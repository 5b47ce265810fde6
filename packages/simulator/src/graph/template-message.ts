import { GraphError, invalid } from './graph-error.ts'
import { readPlace } from './message-content.ts'
import { type Reading, readMedia } from './read-media.ts'
import type { Row, Template } from './objects.ts'
import type { PhoneButton, PhoneCard, PhoneContent, PhoneHeader } from './phone-content.ts'
import { defined, isRow, needList, needRow, needText, readText, toText } from './reading.ts'
import {
  type ButtonPlan,
  type HeaderPlan,
  planOf,
  type TemplatePlan,
  type TextPlan,
  typeText,
} from './template-plan.ts'

const mostFilled = 1024
const mostCode = 15

export type Filling = Reading & { template: Template }

/** Fills the template with parameters; rejects mismatches as Meta does. */
export function fillTemplate(filling: Filling, given: Row): { content: PhoneContent; failure?: number } {
  const { template } = filling
  const plan = planOf(template)
  const components = given.components === undefined ? [] : needList(given, 'components', { least: 0 })
  if (template.category === 'AUTHENTICATION') checkCode(components)
  const { failure, ...parts } = fillParts(filling, plan, components)
  const filled = fillCards(filling, plan, components)
  const cards = filled?.map(({ card }) => card)
  const offer = fillOffer(plan, components)
  const { id, name, language, category } = template
  return {
    content: {
      type: 'template',
      template: { id, name, language, category },
      ...parts,
      ...(plan.footer === undefined ? {} : { footer: plan.footer }),
      ...defined({ cards, offer }),
    },
    ...defined({ failure: failure ?? filled?.find((each) => each.failure !== undefined)?.failure }),
  }
}

function fillParts(filling: Filling, plan: TemplatePlan, components: Row[]) {
  const header = fillHeader(filling, plan.header, componentOf(components, 'HEADER'))
  const body = fillText(
    { isNamed: isNamed(filling), plan: plan.body, where: 'body' },
    parametersOf(componentOf(components, 'BODY')),
  )
  if (body.length > mostFilled) throw new GraphError(132005, `body: the filled text has ${body.length} characters`)
  const buttons = plan.buttons.map((button, index) => fillButton(button, index, components))
  const stray = components.find((each) => typeText(each) === 'BUTTON' && !plan.buttons[Number(each.index)])
  if (stray) throw new GraphError(132012, `buttons: there is no button at index ${toText(stray.index)}`)
  return {
    ...defined({ header: header?.header, failure: header?.failure }),
    ...(plan.body.text === '' ? {} : { body }),
    ...(buttons.length === 0 ? {} : { buttons }),
  }
}

function isNamed({ template }: Filling): boolean {
  return template.parameterFormat === 'NAMED'
}

function componentOf(components: Row[], type: string): Row | undefined {
  return components.find((component) => typeText(component) === type)
}

function parametersOf(component: Row | undefined): Row[] {
  return component?.parameters === undefined ? [] : needList(component, 'parameters', { least: 0 })
}

type TextSlot = { isNamed: boolean; plan: TextPlan; where: string }

/** 132000 for a wrong count, 132012 for a wrong type. */
function fillText({ isNamed, plan, where }: TextSlot, parameters: Row[]): string {
  if (parameters.length !== plan.variables.length)
    throw new GraphError(
      132000,
      `${where}: number of localizable_params (${parameters.length}) does not match the expected number of params (${plan.variables.length})`,
    )
  if (parameters.length === 0) return plan.text
  const words = new Map<string, string>()
  for (const [index, parameter] of parameters.entries()) {
    const name = isNamed ? parameter.parameter_name : plan.variables[index]
    if (typeof name !== 'string')
      throw new GraphError(132012, `${where}: parameter ${index + 1} needs parameter_name, for this template is named`)
    if (!plan.variables.includes(name)) throw new GraphError(132000, `${where}: the template has no {{${name}}}`)
    words.set(name, parameterText(parameter, where))
  }
  return plan.text.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => words.get(name) ?? whole)
}

function parameterText(parameter: Row, where: string): string {
  if (parameter.type === 'text' || parameter.type === undefined)
    return needText(parameter, 'text', { path: `${where}: text of a parameter` })
  if (parameter.type === 'currency' || parameter.type === 'date_time')
    return needText(needRow(parameter, parameter.type), 'fallback_value', { path: `${where}: fallback_value` })
  throw new GraphError(132012, `${where}: expected a text parameter, received ${toText(parameter.type).toUpperCase()}`)
}

function fillHeader(
  filling: Filling,
  plan: HeaderPlan | undefined,
  component: Row | undefined,
): { header: PhoneHeader; failure?: number } | undefined {
  if (!plan) {
    if (component && parametersOf(component).length > 0) throw new GraphError(132000, 'header: the template has none')
    return undefined
  }
  if (plan.format === 'TEXT') {
    const text = fillText({ isNamed: isNamed(filling), plan, where: 'header' }, parametersOf(component))
    return { header: { kind: 'text', text } }
  }
  if (plan.format === 'LOCATION') {
    const place = component?.location ?? parametersOf(component)[0]?.location
    if (!isRow(place)) throw new GraphError(132012, 'header: Format mismatch, expected LOCATION, received UNKNOWN')
    return { header: { kind: 'place', place: readPlace(place) } }
  }
  return fillMediaHeader(filling, plan.format, parametersOf(component)[0])
}

const headerKinds = { IMAGE: 'image', VIDEO: 'video', GIF: 'video', DOCUMENT: 'document', PRODUCT: 'image' } as const

function fillMediaHeader(filling: Filling, format: keyof typeof headerKinds, parameter: Row | undefined) {
  const kind = headerKinds[format]
  const given = parameter?.[parameter.type === 'gif' ? 'gif' : kind]
  if (!isRow(given))
    throw new GraphError(
      132012,
      `header: Format mismatch, expected ${format}, received ${(toText(parameter?.type) || 'unknown').toUpperCase()}`,
    )
  const { media, failure } = readMedia(filling, given, kind)
  return { header: { kind: 'media' as const, media }, ...defined({ failure }) }
}

const subTypes: Record<string, string> = { OTP: 'url', PHONE_NUMBER: 'voice_call' }

const kindByType: Record<string, PhoneButton['kind']> = {
  QUICK_REPLY: 'quick_reply',
  URL: 'url',
  PHONE_NUMBER: 'phone_number',
  COPY_CODE: 'copy_code',
  OTP: 'otp',
  FLOW: 'flow',
  CATALOG: 'catalog',
}

function fillButton(plan: ButtonPlan, index: number, components: Row[]): PhoneButton {
  const component = components.find((each) => typeText(each) === 'BUTTON' && Number(each.index) === index)
  const subType = subTypes[plan.type] ?? plan.type.toLowerCase()
  if (component && toText(component.sub_type).toLowerCase() !== subType)
    throw new GraphError(132012, `buttons: button at index ${index} is of type ${plan.type}`)
  const [parameter] = parametersOf(component)
  return {
    kind: kindByType[plan.type] ?? 'other',
    text: plan.text,
    ...defined({ phoneNumber: plan.phoneNumber, ...buttonContent(plan, index, parameter) }),
  }
}

function buttonContent(plan: ButtonPlan, index: number, parameter: Row | undefined): Partial<PhoneButton> {
  const need = (name: string) => {
    if (!parameter)
      throw new GraphError(131008, `buttons: Button at index ${index} of type ${plan.type} requires a parameter`)
    return needText(parameter, name, { path: `buttons: ${name} of the button at index ${index}` })
  }
  if (plan.isCode) return { code: need('text') }
  if (plan.hasVariable) return { url: plan.url?.replace(/\{\{[^}]*\}\}/, need('text')) ?? '' }
  if (plan.type === 'COPY_CODE') {
    const code = need('coupon_code')
    if (code.length > mostCode) throw invalid(`coupon_code must be at most ${mostCode} characters long`)
    return { code }
  }
  if (plan.type === 'QUICK_REPLY') return { payload: (parameter && readText(parameter, 'payload')) ?? plan.text }
  if (plan.type === 'FLOW') return { payload: flowToken(parameter) }
  return plan.url === undefined ? {} : { url: plan.url }
}

function flowToken(parameter: Row | undefined): string {
  const action = parameter?.action
  return (isRow(action) && readText(action, 'flow_token')) || 'unused'
}

type FilledCard = { card: PhoneCard; failure: number | undefined }

function fillCards(filling: Filling, plan: TemplatePlan, components: Row[]): FilledCard[] | undefined {
  if (plan.cards.length === 0) return undefined
  const carousel = componentOf(components, 'CAROUSEL')
  const given = carousel ? needList(carousel, 'cards') : []
  if (given.length !== plan.cards.length)
    throw new GraphError(132000, `carousel: expected ${plan.cards.length} cards, received ${given.length}`)
  return plan.cards.map((card, index) => {
    const found = given.find((each) => Number(each.card_index) === index)
    if (!found) throw new GraphError(132012, `carousel: there is no card with card_index ${index}`)
    const { failure, ...parts } = fillParts(filling, card, needList(found, 'components', { least: 0 }))
    return { card: { buttons: [], ...parts }, failure }
  })
}

function fillOffer(plan: TemplatePlan, components: Row[]): PhoneContent['offer'] {
  if (!plan.offer) return undefined
  const [parameter] = parametersOf(componentOf(components, 'LIMITED_TIME_OFFER'))
  const given = parameter?.limited_time_offer
  if (!plan.offer.hasExpiration) return { text: plan.offer.text }
  if (!isRow(given) || typeof given.expiration_time_ms !== 'number')
    throw new GraphError(131008, 'limited_time_offer: expiration_time_ms is required')
  return { text: plan.offer.text, expiresAtMs: given.expiration_time_ms }
}

/** Validates a one-time code. */
function checkCode(components: Row[]) {
  const text = parametersOf(componentOf(components, 'BODY'))[0]?.text
  if (typeof text === 'string' && text.length > mostCode)
    throw invalid(`body: the code must be at most ${mostCode} characters long, and has ${text.length}`)
}
