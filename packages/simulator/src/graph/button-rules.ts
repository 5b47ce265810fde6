import { GraphError } from './graph-error.ts'
import type { Row } from './objects.ts'
import { needList, needOneOf, needText, readText } from './reading.ts'
import { listVariables } from './template-plan.ts'
import { badButtons, lacks, tooLong } from './template-refusal.ts'

const types = [
  'QUICK_REPLY',
  'URL',
  'PHONE_NUMBER',
  'COPY_CODE',
  'FLOW',
  'CATALOG',
  'MPM',
  'SPM',
  'VOICE_CALL',
  'REQUEST_CONTACT_INFO',
] as const
type ButtonType = (typeof types)[number]

const mostOfType: Partial<Record<ButtonType, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1, CATALOG: 1 }

export function checkButtons(component: Row | undefined, most: number) {
  if (!component) return
  const buttons = needList(component, 'buttons', { path: 'buttons' })
  if (buttons.length > most) throw badButtons(`There can be ${most} buttons, not ${buttons.length}.`)
  const kinds = buttons.map((button) => checkButton(button))
  for (const [type, limit] of Object.entries(mostOfType))
    if (kinds.filter((kind) => kind === type).length > limit)
      throw badButtons(`There can be ${limit} of type ${type} only.`)
  const groups = kinds.filter((kind, index) => (kind === 'QUICK_REPLY') !== (kinds[index - 1] === 'QUICK_REPLY'))
  if (kinds.includes('QUICK_REPLY') && groups.filter((kind) => kind === 'QUICK_REPLY').length > 1)
    throw badButtons('Quick replies must stand together, not between other buttons.')
}

function checkButton(button: Row): ButtonType {
  const type = needOneOf(button.type, types, "buttons['type']")
  if (type !== 'COPY_CODE') {
    const text = readText(button, 'text')
    if (!text) throw lacks(`the text of a button of type ${type}`)
    if (text.length > 25) throw tooLong('text of a button', 25, text.length)
    if (listVariables(text).length > 0 || /[\n*_~]/.test(text))
      throw badButtons('The text of a button can have no variables, line breaks or formatting.')
  }
  if (type === 'URL') checkUrl(button)
  if (type === 'PHONE_NUMBER') {
    const number = needText(button, 'phone_number')
    if (number.length > 20 || !/^\+?[\d\s()-]+$/.test(number))
      throw badButtons('The phone number of a button must have 1 to 20 digits.')
  }
  if (type === 'COPY_CODE') checkCode(button)
  return type
}

function checkUrl(button: Row) {
  const url = needText(button, 'url')
  if (url.length > 2000) throw tooLong('address of a button', 2000, url.length)
  if (!/^https?:\/\//.test(url)) throw badButtons('The address of a button must begin with http:// or https://.')
  const variables = listVariables(url)
  if (variables.length === 0) return
  if (variables.length > 1 || !/\{\{[^}]*\}\}$/.test(url))
    throw badButtons('The address of a button can have one variable, at its end.')
  const { example } = button
  if (!(Array.isArray(example) ? example.length === 1 : typeof example === 'string'))
    throw lacks('an example of the variable in the address of a button')
}

function checkCode({ example }: Row) {
  const code: unknown = Array.isArray(example) ? example[0] : example
  if (typeof code !== 'string' || code === '') throw lacks('an example of its code')
  if (code.length > 15) throw new GraphError(100, { message: '(#100) The example of a code has at most 15 characters' })
}
