import { z } from 'zod'
import { ApiEnvironment, IpAllowlist } from './api-key-records.ts'
import { Channel } from './channels.ts'
import { Id, Line, Name } from './common.ts'

/** Maximum number of key configs of an account. */
export const maximumKeyConfigs = 100
/** Recipients of one request, whatever the key config says. */
export const maximumRecipientsPerRequest = 1000

const Country = z.string().regex(/^[A-Z]{2}$/, 'Enter a country as two capital letters, such as IN')
const DltId = z.string().regex(/^\d{19}$/, 'A DLT id has 19 digits')

const Binding = z.strictObject({
  name: Name,
  description: Line.max(300).default(''),
  environment: ApiEnvironment.optional().describe('Only keys of this environment can use the config; absent: any key'),
})

const Channels = z.strictObject({
  allowed: z
    .array(Channel)
    .max(Channel.options.length)
    .default([])
    .describe('Channels that messages may be sent on; empty: every channel'),
  default: Channel.optional().describe('The channel of messages that name none'),
  senderIds: z.array(Id).max(100).default([]).describe('Senders that messages may be sent from; empty: every sender'),
})

const Defaults = z.strictObject({
  senderId: Id.optional().describe('The sender of messages on the default channel that name none'),
  templateId: Id.optional().describe('The template of messages on the default channel with neither template nor text'),
  category: Line.min(1).max(40).optional().describe('The category of messages on the default channel that name none'),
  language: Line.min(1).max(20).optional().describe('The language of templates on the default channel'),
  dlt: z
    .strictObject({ entityId: DltId.optional(), templateId: DltId.optional() })
    .default({})
    .describe('DLT ids of messages on the default channel that name none'),
  country: Country.optional().describe('The country of numbers without a country code'),
  ttlSeconds: z
    .number()
    .int()
    .min(60, 'At least a minute')
    .max(172_800, 'At most two days')
    .optional()
    .describe('When messages that name no time expire'),
})

const Filters = z.strictObject({
  ipAllowlist: IpAllowlist.default([]).describe('Addresses and networks, in addition to those of the key; empty: any'),
  allowedCountries: z.array(Country).max(250).default([]).describe('Countries of recipients; empty: every country'),
  blockedPrefixes: z
    .array(z.string().regex(/^[1-9]\d{0,14}$/, 'Enter the first digits of numbers, with the country code'))
    .max(200)
    .default([])
    .describe('Beginnings of numbers that get no messages'),
  templatesOnly: z.boolean().default(false).describe('Whether only templates may be sent'),
  allowedTemplateIds: z.array(Id).max(200).default([]).describe('Templates that may be sent; empty: every template'),
  maxSegments: z.number().int().min(1).max(10).optional().describe('Most parts of a message'),
})

const Rate = z.strictObject({
  requestsPerSecond: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Calls per second; default and maximum: the setting'),
  burst: z.number().int().min(1).max(100_000).optional().describe('Calls at once; default: those of one second'),
  messagesPerSecond: z.number().int().min(1).max(10_000).optional().describe('Messages accepted in one second'),
  messagesPerDay: z.number().int().min(1).max(100_000_000).optional().describe('Messages accepted in one day'),
  recipientsPerRequest: z
    .number()
    .int()
    .min(1)
    .max(maximumRecipientsPerRequest)
    .optional()
    .describe('Recipients of one request'),
})

/** Rupees with at most four decimals, as prices have. */
const SpendLimit = z
  .number()
  .min(0.0001, 'Enter an amount above 0')
  .max(1e9)
  .refine((amount) => Number(amount.toFixed(4)) === amount, 'Enter at most four decimals')

const Spend = z.strictObject({
  maxPerMessage: SpendLimit.optional().describe('Rupees for one message'),
  maxPerHour: SpendLimit.optional().describe('Rupees in one hour'),
  maxPerDay: SpendLimit.optional().describe('Rupees in one day'),
  maxPerMonth: SpendLimit.optional().describe('Rupees in one month'),
  onLimit: z
    .enum(['reject', 'alert'])
    .default('reject')
    .describe('Whether messages above a limit are refused, or are sent and the owner is notified'),
})

const OneTimePasswords = z.strictObject({
  length: z.number().int().min(4).max(10).optional().describe('Digits of codes; default: 6'),
  expirySeconds: z.number().int().min(60).max(3600).optional().describe('How long codes are valid; default: 300'),
  maxTries: z.number().int().min(1).max(10).optional().describe('Wrong codes that end a password; default: 5'),
  resendAfterSeconds: z
    .number()
    .int()
    .min(30)
    .max(3600)
    .optional()
    .describe('Between two codes for the same number; default: 30'),
  templateIds: z
    .array(Id)
    .max(4)
    .default([])
    .describe('Templates of passwords without a text: the first is sent, the others follow if it does not arrive'),
})

const Privacy = z.strictObject({
  storeBody: z
    .enum(['full', 'masked', 'none'])
    .default('masked')
    .describe(
      'Bodies in the request log: as they are, with the length of texts and values in their place, or not at all. One-time passwords are always masked',
    ),
  maskNumbers: z
    .boolean()
    .default(true)
    .describe('Whether phone numbers in the request log show their country code and last three digits only'),
})

/**
 * Rules for the calls and messages of API keys. Every key has its own counts. Seconds, hours, days and months begin as the clock
 * and the calendar of the organisation's time zone say; a message counts when it is accepted, with its cost and that of its legs.
 */
export const KeyConfigPayload = z.strictObject({
  binding: Binding,
  channels: Channels.prefault({}),
  defaults: Defaults.prefault({}),
  filters: Filters.prefault({}),
  rate: Rate.prefault({}),
  spend: Spend.prefault({}),
  otp: OneTimePasswords.prefault({}),
  privacy: Privacy.prefault({}),
})
export type KeyConfigPayload = z.infer<typeof KeyConfigPayload>

export const KeyConfig = z.object({
  id: Id,
  payload: KeyConfigPayload,
  createdBy: z.object({ _id: Id, name: z.string() }),
  /** Only owners change and delete their configs, and use them for their keys. */
  isOwn: z.boolean(),
  /** Keys that use it and are not deactivated. */
  keys: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type KeyConfig = z.infer<typeof KeyConfig>
