import { GraphError, invalid } from './graph-error.ts'
import { type Read, type Reading, readMedia } from './read-media.ts'
import type { Row } from './objects.ts'
import type { PhoneButton, PhoneContent, PhoneHeader } from './phone-content.ts'
import { defined, isRow, needList, needOneOf, needRow, needText, needUrl, readText, toText } from './reading.ts'

const kinds = [
  'button',
  'list',
  'cta_url',
  'flow',
  'location_request_message',
  'product',
  'product_list',
  'catalog_message',
  'address_message',
  'call_permission_request',
] as const
type Kind = (typeof kinds)[number]

type Action = Pick<PhoneContent, 'buttons' | 'list'>
type Rule = { body: number; headers: readonly string[]; readAction: (action: Row) => Action }

const anyHeader = ['text', 'image', 'video', 'document'] as const

const plainRule: Rule = { body: 1024, headers: anyHeader, readAction: () => ({}) }

const rules: Record<Kind, Rule> = {
  button: { body: 1024, headers: anyHeader, readAction: readButtons },
  list: { body: 4096, headers: ['text'], readAction: readListAction },
  cta_url: { body: 1024, headers: anyHeader, readAction: readLink },
  flow: { body: 1024, headers: anyHeader, readAction: readFlow },
  location_request_message: { body: 1024, headers: [], readAction: readLocationRequest },
  product: plainRule,
  product_list: plainRule,
  catalog_message: plainRule,
  address_message: plainRule,
  call_permission_request: plainRule,
}

export function readInteractive(reading: Reading, given: Row): Read {
  const kind = needOneOf(given.type, kinds, "interactive['type']")
  const rule = rules[kind]
  const header = given.header === undefined ? undefined : readHeader(reading, needRow(given, 'header'), rule)
  const footer =
    given.footer === undefined ? undefined : needText(needRow(given, 'footer'), 'text', { path: 'footer', most: 60 })
  // A product message needs no body; all others do.
  const body =
    kind === 'product' && given.body === undefined
      ? undefined
      : needText(needRow(given, 'body', "interactive['body']"), 'text', { path: "body['text']", most: rule.body })
  const action = rule.readAction(needRow(given, 'action', "interactive['action']"))
  return {
    content: { type: 'interactive', ...defined({ header: header?.header, body, footer }), ...action },
    ...defined({ failure: header?.failure }),
  }
}

function readHeader(reading: Reading, given: Row, rule: Rule): { header: PhoneHeader; failure?: number } {
  const type = needOneOf(given.type, anyHeader, "header['type']")
  if (!rule.headers.includes(type)) throw invalid(`This message cannot have a header of type ${type}`)
  if (type === 'text') return { header: { kind: 'text', text: needText(given, 'text', { path: 'header', most: 60 }) } }
  const { media, failure } = readMedia(reading, needRow(given, type), type)
  return { header: { kind: 'media', media }, ...defined({ failure }) }
}

function readButtons(action: Row): Action {
  const buttons = needList(action, 'buttons', { path: "action['buttons']", most: 3 }).map((each): PhoneButton => {
    needOneOf(each.type, ['reply'], "buttons['type']")
    const reply = needRow(each, 'reply')
    return {
      kind: 'reply',
      text: needText(reply, 'title', { path: "reply['title']", most: 20 }),
      payload: needText(reply, 'id', { path: "reply['id']", most: 256 }),
    }
  })
  needDifferent(
    buttons.map(({ payload }) => payload),
    'Button ids',
  )
  needDifferent(
    buttons.map(({ text }) => text),
    'Button titles',
  )
  return { buttons }
}

function readListAction(action: Row): Action {
  const given = needList(action, 'sections', { path: "action['sections']", most: 10 })
  const sections = given.map((section) => {
    const title = readText(section, 'title', { most: 24 })
    if (given.length > 1 && !title) throw invalid('Each section needs a title when there are several')
    const rows = needList(section, 'rows', { path: "section['rows']", most: 10 }).map((row) => ({
      id: needText(row, 'id', { path: "row['id']", most: 200 }),
      title: needText(row, 'title', { path: "row['title']", most: 24 }),
      ...defined({ description: readText(row, 'description', { path: "row['description']", most: 72 }) }),
    }))
    return { rows, ...defined({ title }) }
  })
  const rows = sections.flatMap((section) => section.rows)
  if (rows.length > 10) throw invalid(`Total row count must be at most 10, and is ${rows.length}`)
  needDifferent(
    rows.map(({ id }) => id),
    'Row ids',
  )
  return { list: { button: needText(action, 'button', { path: "action['button']", most: 20 }), sections } }
}

function needDifferent(words: (string | undefined)[], what: string) {
  if (new Set(words).size < words.length) throw invalid(`${what} must be unique`)
}

function readLink(action: Row): Action {
  needOneOf(action.name, ['cta_url'], "action['name']")
  const parameters = needRow(action, 'parameters')
  const text = needText(parameters, 'display_text', { path: "parameters['display_text']", most: 20 })
  return { buttons: [{ kind: 'url', text, url: needUrl(parameters, 'url') }] }
}

function readFlow(action: Row): Action {
  needOneOf(action.name, ['flow'], "action['name']")
  const parameters = needRow(action, 'parameters')
  needOneOf(toText(parameters.flow_message_version), ['3'], "parameters['flow_message_version']")
  if (!parameters.flow_id && !parameters.flow_name) throw new GraphError(131009, 'flow_id or flow_name is required')
  if (parameters.flow_action_payload !== undefined && !isRow(parameters.flow_action_payload))
    throw new GraphError(100, 'flow_action_payload must be an object')
  const text = needText(parameters, 'flow_cta', { path: "parameters['flow_cta']", most: 30 })
  return { buttons: [{ kind: 'flow', text, payload: readText(parameters, 'flow_token') ?? 'unused' }] }
}

function readLocationRequest(action: Row): Action {
  needOneOf(action.name, ['send_location'], "action['name']")
  return { buttons: [{ kind: 'location', text: 'Send location' }] }
}
