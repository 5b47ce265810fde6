import { BotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'

/** The form of a bot's brand and documents, with one contact of each kind. */
export type BotDraft = {
  name: string
  brandName: string
  description: string
  color: string
  logoId: string
  bannerId: string
  phone: string
  email: string
  website: string
  privacyUrl: string
  termsUrl: string
  useCase: 'otp' | 'transactional' | 'promotional' | 'multi_use'
  entityId: string
  contactName: string
  contactEmail: string
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
  phone: '',
  email: '',
  website: '',
  privacyUrl: '',
  termsUrl: '',
  useCase: 'multi_use',
  entityId: '',
  contactName: '',
  contactEmail: '',
  trigger: '',
  interactions: '',
  optOut: '',
}

export function draftOfBot({ details, name }: RcsBot): BotDraft {
  const { websites = [], review, ...rest } = details
  const given = Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => key in emptyBot && value !== undefined),
  )
  return {
    ...emptyBot,
    name,
    ...given,
    ...contactsOf(details),
    ...reviewOf(review),
    website: websites[0]?.url ?? review?.website ?? '',
  }
}

function contactsOf({ phoneNumbers = [], emails = [] }: RcsBot['details']): Pick<BotDraft, 'phone' | 'email'> {
  return { phone: phoneNumbers[0]?.number ?? '', email: emails[0]?.address ?? '' }
}

function reviewOf(review: RcsBot['details']['review']): Partial<BotDraft> {
  if (!review) return {}
  const { contactName, contactEmail, trigger, interactions, optOut } = review
  return { contactName, contactEmail, trigger, interactions, optOut }
}

/** The request, which the contract's rules check: errors are returned by their field in the form. */
export function readBot(draft: BotDraft): { details: BotDetails } | { errors: Record<string, string> } {
  const parsed = BotDetails.safeParse(inputOf(draft))
  if (parsed.success) return { details: parsed.data }
  const errors = parsed.error.issues.map(({ path, message }): [string, string] => [fieldOf(path), message])
  return { errors: Object.fromEntries(errors.toReversed()) }
}

const oneContact: Record<string, string> = { phoneNumbers: 'phone', emails: 'email', websites: 'website' }

/** The form's name of a field of the request. */
export function fieldOf(path: readonly PropertyKey[]): string {
  const [first = '', second] = path.map(String)
  if (first === 'review') return second === undefined ? 'contactName' : second
  return oneContact[first] ?? first
}

const label = 'Customer service'

function inputOf(draft: BotDraft) {
  const { phone, email, website, entityId, contactName, contactEmail, trigger, interactions, optOut, ...rest } = draft
  return {
    ...rest,
    phoneNumbers: phone === '' ? [] : [{ number: phone.replaceAll(/[\s()-]/g, ''), label }],
    emails: email === '' ? [] : [{ address: email, label }],
    websites: website === '' ? [] : [{ url: website, label: 'Website' }],
    ...(entityId === '' ? {} : { entityId }),
    ...(contactName === '' ? {} : { review: { contactName, contactEmail, website, trigger, interactions, optOut } }),
  }
}
