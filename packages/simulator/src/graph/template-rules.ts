import { checkButtons } from './button-rules.ts'
import { checkHeader, checkNames } from './header-rules.ts'
import type { Desk } from './template-desk.ts'
import type { Row } from './objects.ts'
import { isRow, needList, needOneOf, readText } from './reading.ts'
import { listVariables } from './template-plan.ts'
import { badFormat, lacks, refuseTemplate, tooLong } from './template-refusal.ts'

const componentTypes = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const

/** Validates template components by Meta's rules. */
export function checkComponents(desk: Desk, components: Row[]) {
  const seen = new Set<string>()
  for (const component of components) {
    const type = needOneOf(component.type, componentTypes, "components['type']")
    if (seen.has(type))
      throw refuseTemplate({ title: 'Template has a part twice', message: `There are two of ${type}.` })
    seen.add(type)
  }
  const find = (type: string) => components.find((component) => component.type === type)
  const body = find('BODY')
  if (!body) throw lacks('a component of type BODY')
  if (desk.category === 'AUTHENTICATION') return checkAuthentication(find, body)
  const offer = find('LIMITED_TIME_OFFER')
  if (offer) checkOffer(offer)
  checkHeader(desk, find('HEADER'))
  checkBody(desk, body, offer ? 600 : 1024)
  checkFooter(find('FOOTER'))
  checkButtons(find('BUTTONS'), 10)
  checkCarousel(desk, find('CAROUSEL'))
}

function checkAuthentication(find: (type: string) => Row | undefined, body: Row) {
  if (body.text !== undefined)
    throw badFormat('body', 'The text of an authentication template is fixed and cannot be chosen.')
  if (find('HEADER') ?? find('CAROUSEL'))
    throw refuseTemplate({
      title: 'Part not allowed',
      message: 'Authentication templates have no header and no cards.',
    })
  checkExpiration(find('FOOTER'))
  const buttons = find('BUTTONS')
  const [button, ...more] = buttons ? needList(buttons, 'buttons') : []
  if (button?.type !== 'OTP' || more.length > 0) throw lacks('its one button of type OTP')
  needOneOf(
    typeof button.otp_type === 'string' ? button.otp_type.toUpperCase() : undefined,
    ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'],
    'otp_type',
  )
}

function checkExpiration(footer: Row | undefined) {
  if (!footer) return
  const minutes = footer.code_expiration_minutes
  if (typeof minutes !== 'number' || minutes < 1 || minutes > 90)
    throw badFormat('footer', 'code_expiration_minutes must be 1 to 90.')
}

function checkBody({ isNamed }: Desk, body: Row, most: number) {
  const text = readText(body, 'text') ?? ''
  if (text === '') throw lacks('the text of its body')
  if (text.length > most) throw tooLong('body', most, text.length)
  if (/\n{3,}|\t| {5,}/.test(text))
    throw badFormat('body', 'The body can have no more than two line breaks or four spaces in a row, and no tabs.')
  const variables = listVariables(text)
  checkNames(variables, isNamed)
  checkBalance(text, variables)
  if (variables.length === 0) return
  const example = isRow(body.example) ? body.example : {}
  const first: unknown = Array.isArray(example.body_text) ? example.body_text[0] : undefined
  const given = isNamed ? example.body_text_named_params : Array.isArray(first) ? first : example.body_text
  if (!Array.isArray(given) || given.length !== variables.length)
    throw lacks(`examples for the ${variables.length} variables of its body`)
}

/** Variables must not start or end the text, and the text must be long enough for their number. */
function checkBalance(text: string, variables: string[]) {
  const trimmed = text.trim()
  if (trimmed.startsWith('{{') || trimmed.endsWith('}}'))
    throw refuseTemplate({
      subcode: 2388299,
      title: 'Variables at the start or end are not allowed',
      message: 'Variables cannot be at the start or end of the template.',
    })
  const words = trimmed.replaceAll(/\{\{[^}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (words < variables.length * 2)
    throw refuseTemplate({
      subcode: 2388293,
      title: 'Too many variables for this length',
      message: 'This template has too many variables for its length. Take some out or write more around them.',
    })
}

function checkFooter(footer: Row | undefined) {
  if (!footer) return
  const text = readText(footer, 'text') ?? ''
  if (text === '') throw lacks('the text of its footer')
  if (text.length > 60) throw tooLong('footer', 60, text.length)
  if (listVariables(text).length > 0 || text.includes('\n'))
    throw badFormat('footer', 'The footer can have no variables and no line breaks.')
}

function checkOffer({ limited_time_offer: offer }: Row) {
  const text = isRow(offer) ? readText(offer, 'text') : undefined
  if (text === undefined) throw lacks('the text of its offer')
  if (text.length > 16) throw tooLong('offer', 16, text.length)
}

function checkCarousel(desk: Desk, carousel: Row | undefined) {
  if (!carousel) return
  const cards = needList(carousel, 'cards', { path: 'cards' }).map((card) => needList(card, 'components'))
  if (cards.length < 2 || cards.length > 10)
    throw refuseTemplate({
      title: 'Wrong number of cards',
      message: `A carousel has 2 to 10 cards, not ${cards.length}.`,
    })
  const shapes = new Set(cards.map((card) => shapeOf(card)))
  if (shapes.size > 1)
    throw refuseTemplate({ title: 'Cards are not alike', message: 'All cards of a carousel must have the same parts.' })
  for (const card of cards) {
    const find = (type: string) => card.find((component) => component.type === type)
    const header = find('HEADER')
    if (header?.format !== 'IMAGE' && header?.format !== 'VIDEO') throw lacks('an image or video on each card')
    checkHeader(desk, header)
    const body = find('BODY')
    if (body) checkBody(desk, body, 160)
    checkButtons(find('BUTTONS'), 2)
  }
}

function shapeOf(card: Row[]): string {
  return card
    .map(({ type, format, buttons }) =>
      JSON.stringify([
        type,
        format,
        Array.isArray(buttons) ? buttons.map((each: unknown) => isRow(each) && each.type) : 0,
      ]),
    )
    .join()
}
