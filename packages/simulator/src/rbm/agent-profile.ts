import { type AgentUseCase, agentUseCases, type Row } from './objects.ts'
import { invalid } from './rbm-error.ts'
import { needOneOf, needRow, needText, needUrl, readList, readOneOf, requireKnown } from './reading.ts'

const path = 'rcsBusinessMessagingAgent'
const mostContacts = 3
const leastContrast = 4.5

const fields = [
  ...(['description', 'logoUri', 'heroUri', 'color', 'phoneNumbers', 'emails', 'websites'] as const),
  ...(['privacy', 'termsConditions', 'agentUseCase', 'billingConfig', 'hostingRegion'] as const),
] as const

/** Fields that Google adds to its responses. */
const outputOnly = ['launchDetails', 'partner'] as const

/** Checks the profile of an agent and drops what is output only. */
export function readProfile(row: Row): { profile: Row; useCase: AgentUseCase } {
  requireKnown(row, [...fields, ...outputOnly], path)
  needText({ row, name: 'description', path }, 100)
  needUrl({ row, name: 'logoUri', path })
  needUrl({ row, name: 'heroUri', path })
  requireContrast(needText({ row, name: 'color', path }))
  requireContacts(row)
  for (const name of ['privacy', 'termsConditions']) requireLink(needRow({ row, name, path }), `${path}.${name}`)
  needOneOf({ row: needRow({ row, name: 'billingConfig', path }), name: 'billingCategory', path }, [
    'CONVERSATIONAL',
    'SINGLE_MESSAGE',
    'BASIC_MESSAGE',
    'NON_CONVERSATIONAL',
  ])
  needOneOf({ row, name: 'hostingRegion', path }, ['NORTH_AMERICA', 'EUROPE', 'ASIA_PACIFIC'])
  const useCase = readOneOf({ row, name: 'agentUseCase', path }, agentUseCases) ?? 'MULTI_USE'
  const profile = Object.fromEntries(fields.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))
  return { profile, useCase }
}

function requireContrast(color: string) {
  const digits = /^#([\da-f]{6})$/i.exec(color)?.[1]
  if (digits === undefined) throw invalid(`${path}.color`, 'must be a color such as #FF6347')
  if (1.05 / (luminance(digits) + 0.05) < leastContrast)
    throw invalid(`${path}.color`, `must have a contrast of at least ${leastContrast}:1 to white`)
}

/** Relative luminance of the Web Content Accessibility Guidelines. */
function luminance(digits: string): number {
  const channel = (at: number) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

function requireContacts(row: Row) {
  const lists = {
    phoneNumbers: readList({ row, name: 'phoneNumbers', path }) ?? [],
    emails: readList({ row, name: 'emails', path }) ?? [],
    websites: readList({ row, name: 'websites', path }) ?? [],
  }
  for (const [name, list] of Object.entries(lists)) {
    if (list.length > mostContacts) throw invalid(`${path}.${name}`, `must have at most ${mostContacts} entries`)
    for (const [index, entry] of list.entries())
      needText({ row: entry, name: 'label', path: `${path}.${name}[${index}]` })
  }
  for (const [index, entry] of lists.phoneNumbers.entries()) {
    const at = `${path}.phoneNumbers[${index}]`
    needText({ row: needRow({ row: entry, name: 'phoneNumber', path: at }), name: 'number', path: at })
  }
  for (const [index, entry] of lists.emails.entries())
    needText({ row: entry, name: 'address', path: `${path}.emails[${index}]` })
  for (const [index, entry] of lists.websites.entries())
    needUrl({ row: entry, name: 'uri', path: `${path}.websites[${index}]` })
  if (Object.values(lists).every((list) => list.length === 0))
    throw invalid(path, 'must have a phone number, an email address or a website')
}

function requireLink(row: Row, at: string) {
  needUrl({ row, name: 'uri', path: at })
  needText({ row, name: 'label', path: at })
}

/** A launch requires a contact that people can call or write to. */
export function hasPhoneOrEmail({ phoneNumbers, emails }: Row): boolean {
  return [phoneNumbers, emails].some((list) => Array.isArray(list) && list.length > 0)
}
