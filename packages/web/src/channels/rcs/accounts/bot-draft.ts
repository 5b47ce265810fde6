import { BotDetails, BotDetailsChange } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { z } from 'zod'

/** A number, address or link with the words beside it on the bot's page. */
export type ContactDraft = { text: string; label: string }
export const contactKinds = ['phoneNumbers', 'emails', 'websites'] as const
export type ContactKind = (typeof contactKinds)[number]

type Errors = Record<string, string>

/** The form of a bot's brand and documents. */
export type BotDraft = Record<ContactKind, readonly ContactDraft[]> & {
  name: string
  brandName: string
  description: string
  color: string
  logoId: string
  bannerId: string
  privacyUrl: string
  termsUrl: string
  useCase: BotDetails['useCase']
  billing: BotDetails['billing']
  hosting: BotDetails['hosting']
  entityId: string
  contactName: string
  contactTitle: string
  contactEmail: string
  optIn: string
  trigger: string
  interactions: string
  optOut: string
}

export const emptyBot: BotDraft = {
  name: '',
  brandName: '',
  description: '',
  color: '#0f766e',
  logoId: '',
  bannerId: '',
  phoneNumbers: [{ text: '', label: 'Customer service' }],
  emails: [{ text: '', label: 'Customer service' }],
  websites: [{ text: '', label: 'Website' }],
  privacyUrl: '',
  termsUrl: '',
  useCase: 'multi_use',
  billing: 'non_conversational',
  hosting: 'asia_pacific',
  entityId: '',
  contactName: '',
  contactTitle: '',
  contactEmail: '',
  optIn: '',
  trigger: '',
  interactions: '',
  optOut: '',
}

export function draftOfBot({ details, name }: Pick<RcsBot, 'details' | 'name'>): BotDraft {
  const { phoneNumbers, emails, websites, review, ...rest } = details
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const { website: _, ...answers } = review ?? { website: '' }
  const contacts = {
    phoneNumbers: phoneNumbers?.map(({ number, label }) => ({ text: number, label })),
    emails: emails?.map(({ address, label }) => ({ text: address, label })),
    websites: websites?.map(({ url, label }) => ({ text: url, label })),
  }
  const kept = Object.fromEntries(Object.entries(contacts).filter(([, list]) => list !== undefined && list.length > 0))
  return { ...emptyBot, name, ...given, ...answers, ...kept }
}

/** The request, which the contract's rules check: errors are returned by their field in the form. */
export function readBot(draft: BotDraft): { details: BotDetails } | { errors: Errors } {
  return readWith(BotDetails, draft)
}

function readWith<Details>(schema: z.ZodType<Details>, draft: BotDraft): { details: Details } | { errors: Errors } {
  const parsed = schema.safeParse(inputOf(draft))
  if (parsed.success) return { details: parsed.data }
  const errors = parsed.error.issues.map(({ path, message }): [string, string] => [fieldOf(path, draft), message])
  return { errors: Object.fromEntries(errors.toReversed()) }
}

/**
 * The change of a bot that exists: what is empty in the form is removed. The details of a bot that is not managed from here
 * need not be complete.
 */
export function readChange(
  draft: BotDraft,
  { isManaged }: Pick<RcsBot, 'isManaged'>,
): { details: BotDetailsChange } | { errors: Errors } {
  const removed = { entityId: null, review: null }
  const read = isManaged ? readBot(draft) : readWith(BotDetailsChange, draft)
  return 'details' in read ? { details: { ...removed, ...read.details } } : read
}

/** The form's name of a field of the request. Empty contacts are not part of the request, so their places differ. */
export function fieldOf(path: readonly PropertyKey[], draft: BotDraft): string {
  const [first = '', second, third] = path.map(String)
  if (first === 'review')
    return second === undefined ? 'contactName' : second === 'website' ? 'websites.0.text' : second
  const kind = contactKinds.find((one) => one === first)
  if (!kind) return first
  // The rule that one contact of any kind is needed.
  if (second === undefined) return 'contacts'
  const places = draft[kind].flatMap(({ text }, index) => (text.trim() === '' ? [] : [index]))
  return `${kind}.${places[Number(second)] ?? 0}.${third === 'label' ? 'label' : 'text'}`
}

/** The form's names of the fields in a response. */
export function errorsOf(sent: Errors, draft: BotDraft): Errors {
  return Object.fromEntries(
    Object.entries(sent).map(([path, message]) => {
      const [first = '', ...rest] = path.split('.')
      return [first === 'details' ? fieldOf(rest, draft) : path, message]
    }),
  )
}

function inputOf(draft: BotDraft) {
  const { phoneNumbers, emails, websites, entityId, ...rest } = draft
  const { contactName, contactTitle, contactEmail, optIn, trigger, interactions, optOut, ...brand } = rest
  const [website] = filled(websites)
  const review = { contactName, contactTitle, contactEmail, optIn, trigger, interactions, optOut }
  const isReviewed = Object.values(review).some((answer) => answer.trim() !== '')
  return {
    ...brand,
    phoneNumbers: filled(phoneNumbers).map(({ text, label }) => ({ number: text.replaceAll(/[\s()-]/g, ''), label })),
    emails: filled(emails).map(({ text, label }) => ({ address: text, label })),
    websites: filled(websites).map(({ text, label }) => ({ url: text, label })),
    ...(entityId === '' ? {} : { entityId }),
    ...(isReviewed ? { review: { ...review, website: website?.text ?? '' } } : {}),
  }
}

function filled(contacts: readonly ContactDraft[]): ContactDraft[] {
  return contacts.flatMap(({ text, label }) => (text.trim() === '' ? [] : [{ text: text.trim(), label }]))
}
