import { z } from 'zod'
import { Line, PhoneNumber } from '../../common.ts'
import { contrastOf, leastContrast } from '../../contrast.ts'

/** Limits of a bot's brand as Google documents them. */
export const botLimits = {
  name: 40,
  brandName: 100,
  description: 100,
  contacts: 3,
  logo: { width: 224, height: 224, bytes: 50 * 1024 },
  banner: { width: 1440, height: 448, bytes: 200 * 1024 },
  testersPerDay: 20,
  testers: 200,
} as const

/** What a bot may send; decides hours, limits per person and the traffic type. */
export const BotUseCase = z.enum(['otp', 'transactional', 'promotional', 'multi_use'])
export type BotUseCase = z.infer<typeof BotUseCase>

/** How operators bill its messages. */
export const BotBilling = z.enum(['conversational', 'non_conversational'])
export type BotBilling = z.infer<typeof BotBilling>

export const BotHosting = z.enum(['asia_pacific', 'europe', 'north_america'])

/** Phones show white text on the colour, and the colour on white. */
export function isReadableOnWhite(color: string): boolean {
  return contrastOf(color, '#ffffff') >= leastContrast
}

/** The nearest shade of the same hue that is readable on white: the colour itself if it is. */
export function nearestReadable(color: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  // Darker by a hundredth at a time; black is always readable.
  for (let share = 100; share > 0; share -= 1) {
    const shade = `#${parts.map((part) => hex((part * share) / 100)).join('')}`
    if (isReadableOnWhite(shade)) return shade
  }
  return '#000000'
}

const hex = (part: number) => Math.floor(part).toString(16).padStart(2, '0')

const Colour = z
  .string()
  .regex(/^#[\da-fA-F]{6}$/, 'A colour is # and six hexadecimal digits')
  .refine(isReadableOnWhite, 'White text on this colour is hard to read: choose a darker shade')

const WebAddress = z.url({ protocol: /^https?$/, error: 'Enter a web address that begins with https://' }).max(2048)

/** The words beside a contact on the bot's page, such as 'Customer service'. */
const Label = Line.min(1, 'Enter a label').max(25)

const NumberContact = z.object({ number: PhoneNumber, label: Label })
const EmailContact = z.object({ address: z.email('Enter an email address').max(200), label: Label })
const WebContact = z.object({ url: WebAddress, label: Label })

/** What Google and the operators ask for before they verify and launch a bot. */
export const BotReview = z.object({
  contactName: Line.min(1, 'Enter a name').max(100),
  contactTitle: Line.max(100).default(''),
  contactEmail: z.email('Enter an email address').max(200),
  /** Public website of the brand; the address of the contact belongs to its domain. */
  website: WebAddress,
  /** How people consent, what triggers messages, what people can do, and how they stop. */
  optIn: z.string().trim().max(1000).default(''),
  trigger: z.string().trim().min(1, 'Describe what makes the bot send a message').max(1000),
  interactions: z.string().trim().min(1, 'Describe what people can do in the conversation').max(1000),
  optOut: z.string().trim().min(1, 'Describe how people stop the messages').max(1000),
})
export type BotReview = z.infer<typeof BotReview>

/** A bot's brand and its documents, as requested by the customer or entered by the administrator. */
const fields = {
  name: Line.min(1, 'Enter a name').max(botLimits.name, 'At most 40 characters'),
  brandName: Line.min(1, 'Enter the brand').max(botLimits.brandName),
  description: Line.min(1, 'Enter a description').max(botLimits.description, 'At most 100 characters'),
  color: Colour,
  /** Images from `bots.uploadAsset`. */
  logoId: z.uuid('Upload the logo'),
  bannerId: z.uuid('Upload the banner'),
  phoneNumbers: z.array(NumberContact).max(botLimits.contacts),
  emails: z.array(EmailContact).max(botLimits.contacts),
  websites: z.array(WebContact).max(botLimits.contacts),
  privacyUrl: WebAddress,
  termsUrl: WebAddress,
  useCase: BotUseCase,
  billing: BotBilling,
  hosting: BotHosting,
  /** India: the principal entity's id of the DLT registration. */
  entityId: z
    .string()
    .regex(/^\d{19}$/, 'An entity id has 19 digits')
    .optional(),
  review: BotReview.optional(),
}

export const BotDetails = z
  .object({
    ...fields,
    phoneNumbers: fields.phoneNumbers.default([]),
    emails: fields.emails.default([]),
    websites: fields.websites.default([]),
    billing: BotBilling.default('non_conversational'),
    hosting: BotHosting.default('asia_pacific'),
  })
  .refine(({ phoneNumbers, emails, websites }) => phoneNumbers.length + emails.length + websites.length > 0, {
    path: ['phoneNumbers'],
    error: 'Enter a phone number, an email address or a website',
  })
export type BotDetails = z.infer<typeof BotDetails>

/** Details that are not complete, as of a bot that was created elsewhere. Has no defaults, so absent fields are unchanged. */
export const PartialBotDetails = z.object(fields).partial()
export type PartialBotDetails = z.infer<typeof PartialBotDetails>

/** Null, or an empty text, removes a detail. */
const removable = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([z.literal(''), schema])
    .nullable()
    .optional()

/** Changes of a bot's details; absent fields are unchanged. */
export const BotDetailsChange = z.object({
  name: removable(fields.name),
  brandName: removable(fields.brandName),
  description: removable(fields.description),
  color: removable(fields.color),
  logoId: removable(fields.logoId),
  bannerId: removable(fields.bannerId),
  phoneNumbers: fields.phoneNumbers.nullable().optional(),
  emails: fields.emails.nullable().optional(),
  websites: fields.websites.nullable().optional(),
  privacyUrl: removable(fields.privacyUrl),
  termsUrl: removable(fields.termsUrl),
  useCase: fields.useCase.nullable().optional(),
  billing: fields.billing.nullable().optional(),
  hosting: fields.hosting.nullable().optional(),
  entityId: removable(fields.entityId.unwrap()),
  review: fields.review.nullable(),
})
export type BotDetailsChange = z.infer<typeof BotDetailsChange>
