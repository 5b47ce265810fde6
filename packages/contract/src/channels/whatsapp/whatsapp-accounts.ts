import { z } from 'zod'
import { Day, Id, IdPath, Name, Nothing, PhoneNumber } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'

/** Meta's ids are decimal strings. They exceed the safe integer range. */
export const MetaId = z.string().regex(/^\d{5,25}$/, 'Enter a Meta id: digits only')

export const NumberQuality = z.enum(['green', 'yellow', 'red', 'unknown'])
export type NumberQuality = z.infer<typeof NumberQuality>

/** Recipients that can be messaged first per 24 hours, across all numbers of the business portfolio. */
export const messagingTiers = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1000,
  TIER_2K: 2000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
}
/** Null: no limit. */
export const MessagingLimit = z.number().int().nullable()

/** A WhatsApp number as Meta last reported it. */
export const WhatsappNumber = z.object({
  _id: Id,
  connectionId: Id,
  waba_id: MetaId,
  phone_number_id: MetaId,
  displayPhoneNumber: z.string(),
  verifiedName: z.string(),
  /** Meta's values: APPROVED, PENDING_REVIEW, DECLINED … */
  nameStatus: z.string(),
  quality: NumberQuality,
  /** Meta's values: CONNECTED, PENDING, BANNED, RESTRICTED … Not a closed list. */
  status: z.string(),
  messagingLimit: MessagingLimit,
  /** Messages per second: 80, or 1,000 once Meta has raised it. */
  ratePerSecond: z.number(),
  mode: z.enum(['live', 'sandbox']),
  isActive: z.boolean(),
  registeredAt: z.string().nullable(),
  checkedAt: z.string().nullable(),
})
export type WhatsappNumber = z.infer<typeof WhatsappNumber>

/** Steps of a connection, in order. */
export const ConnectionStep = z.enum(['token', 'account', 'subscription', 'webhook', 'registration', 'test'])
export type ConnectionStep = z.infer<typeof ConnectionStep>

export const StepState = z.object({
  step: ConnectionStep,
  /** `waiting`: an earlier step has not passed, or it needs input. */
  state: z.enum(['waiting', 'passed', 'failed']),
  /** The result, or the problem and what to do. */
  message: z.string(),
  at: z.string().nullable(),
})
export type StepState = z.infer<typeof StepState>

/** A WhatsApp business account with its numbers and connection steps. */
export const WhatsappConnection = z.object({
  _id: Id,
  waba_id: MetaId,
  name: z.string(),
  provider: z.string(),
  /** The provider's settings without secrets; `secretsSet` lists the stored secrets. */
  config: z.record(z.string(), z.unknown()),
  secretsSet: z.array(z.string()),
  callbackUrl: z.string(),
  steps: z.array(StepState),
  isReady: z.boolean(),
  numbers: z.array(WhatsappNumber),
  solutionId: z.string().nullable(),
  createdAt: z.string(),
})
export type WhatsappConnection = z.infer<typeof WhatsappConnection>

export const WhatsappConnectionInput = z.object({
  name: Name.optional(),
  waba_id: MetaId,
  phone_number_id: MetaId.optional(),
  accessToken: z.string().trim().min(1, 'Enter the access token').max(1000),
  appId: MetaId,
  appSecret: z.string().trim().min(8, 'Enter the app secret').max(200),
  /** Absent: Meta's default URL. */
  graphUrl: z.string().max(300).optional(),
  graphVersion: z
    .string()
    .regex(/^v\d{2}\.\d$/, 'Enter a version such as v25.0')
    .optional(),
})
export type WhatsappConnectionInput = z.infer<typeof WhatsappConnectionInput>

/** Omitted secrets are unchanged. */
export const WhatsappConnectionChange = WhatsappConnectionInput.partial().omit({ waba_id: true, phone_number_id: true })

/** Input of a step. */
export const StepInput = z.object({
  /** Six digits, for `registration`. */
  pin: z
    .string()
    .regex(/^\d{6}$/, 'The PIN has six digits')
    .optional(),
  /** The number, for `registration` and `test`; absent: each number of the account. */
  phone_number_id: MetaId.optional(),
  /** Recipient of the test message. */
  phoneNumber: PhoneNumber.optional(),
})

export const businessVerticals = [
  'ALCOHOL',
  'APPAREL',
  'AUTO',
  'BEAUTY',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GOVT',
  'GROCERY',
  'HEALTH',
  'HOTEL',
  'NONPROFIT',
  'ONLINE_GAMBLING',
  'OTC_DRUGS',
  'OTHER',
  'PHYSICAL_GAMBLING',
  'PROF_SERVICES',
  'RESTAURANT',
  'RETAIL',
  'TRAVEL',
] as const

const website = z.url({ protocol: /^https?$/, error: 'Enter a full URL with https://' }).max(256)

/** The business profile as shown in WhatsApp. */
export const WhatsappProfile = z.object({
  about: z.string().trim().max(139).default(''),
  address: z.string().trim().max(256).default(''),
  description: z.string().trim().max(512).default(''),
  email: z.union([z.email('Enter an email address').max(128), z.literal('')]).default(''),
  websites: z.array(website).max(2, 'At most two websites').default([]),
  vertical: z.enum([...businessVerticals, 'UNDEFINED']).default('UNDEFINED'),
  profile_picture_url: z.string().optional(),
})
export type WhatsappProfile = z.infer<typeof WhatsappProfile>

export const WhatsappAnalytics = z.object({
  /** Per day. */
  points: z.array(z.object({ at: z.string(), sent: z.number(), delivered: z.number() })),
  /** Charges by Meta per category, in the currency of the business account. */
  prices: z.array(z.object({ category: z.string(), type: z.string(), volume: z.number(), cost: z.number() })),
  currency: z.string(),
})
export type WhatsappAnalytics = z.infer<typeof WhatsappAnalytics>

const Solution = z.object({ solutionId: z.string(), name: z.string(), provider: z.string() })

const connectors = ['user', 'manager'] as const
const watchers = ['manager', 'user', 'department_head'] as const

export const whatsappEndpoints = defineEndpoints({
  'wabas.active': {
    route: 'GET /api/waba/active-wabas',
    summary: 'The WhatsApp business accounts that can be used: connected, with a number that is on',
    roles: connectors,
    scope: 'campaigns:read',
    data: z.array(z.object({ _id: Id, waba_id: MetaId, name: z.string(), numbers: z.array(WhatsappNumber) })),
    fallback: 'Failed to fetch phone numbers',
  },
  'wabas.list': {
    route: 'GET /api/waba/connections',
    summary: 'Every WhatsApp business account of the organisation, with the steps of its connection',
    roles: watchers,
    data: z.array(WhatsappConnection),
    fallback: 'Failed to fetch phone numbers',
    addition: true,
  },
  'wabas.signUp': {
    route: 'GET /api/waba/onboarding/settings',
    summary: 'Settings for Meta’s embedded sign-up; empty without app and configuration',
    roles: connectors,
    data: z.object({
      appId: z.string().nullable(),
      configurationId: z.string().nullable(),
      graphVersion: z.string(),
      solutionId: z.string().nullable(),
      /** In a demo: the values to connect the simulated account manually. */
      demo: z
        .object({
          graphUrl: z.string(),
          waba_id: MetaId,
          phoneNumberIds: z.array(MetaId),
          accessToken: z.string(),
          appId: MetaId,
          appSecret: z.string(),
        })
        .optional(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'wabas.onboard': {
    route: 'POST /api/waba/onboarding/facebook',
    summary: 'Connect the account chosen in Meta’s embedded sign-up; its code is valid for 30 seconds',
    roles: connectors,
    body: z.object({
      code: z.string().trim().min(1, 'The sign-up returned no code').max(2000),
      waba_id: MetaId.optional(),
      phone_number_id: MetaId.optional(),
      business_id: MetaId.optional(),
    }),
    asksProvider: true,
    data: WhatsappConnection,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'wabas.connect': {
    route: 'POST /api/waba/connections',
    summary: 'Connect a WhatsApp business account manually: access token, account and app',
    roles: ['manager'],
    body: WhatsappConnectionInput,
    asksProvider: true,
    data: WhatsappConnection,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'wabas.change': {
    route: 'PUT /api/waba/connections/{id}',
    summary: 'Update a connection and run its steps again; omitted secrets are unchanged',
    roles: ['manager'],
    path: IdPath,
    body: WhatsappConnectionChange,
    asksProvider: true,
    data: WhatsappConnection,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'wabas.disconnect': {
    route: 'DELETE /api/waba/connections/{id}',
    summary: 'Unsubscribe from the account and delete its secrets; sent messages are kept',
    roles: ['manager'],
    path: IdPath,
    asksProvider: true,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'wabas.runStep': {
    route: 'POST /api/waba/connections/{id}/steps/{step}',
    summary: 'Run a connection step; a failed step is reported in the response, not as an error',
    roles: connectors,
    path: IdPath.extend({ step: ConnectionStep }),
    body: StepInput,
    asksProvider: true,
    data: WhatsappConnection,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'wabas.activate': {
    route: 'PUT /api/waba/phone_numbers/activate',
    summary: 'Switch a number on or off; off stops sending immediately',
    roles: connectors,
    body: z.object({ id: Id, isActive: z.boolean() }),
    data: WhatsappNumber,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'wabas.phoneNumbers': {
    route: 'GET /api/waba/phone_numbers',
    summary: 'The numbers of the organisation with their quality, limit and state; `fresh` refreshes from Meta first',
    roles: watchers,
    scope: 'campaigns:read',
    query: z.object({
      /** `fresh` refreshes from Meta; any other value returns stored data. */
      mode: z.string().max(60).default('stored'),
      /** Accepted for compatibility; all fields are always returned. */
      fields: z.string().max(500).optional(),
    }),
    asksProvider: { query: 'mode', is: 'fresh' },
    data: z.array(WhatsappNumber),
    fallback: 'Failed to fetch phone numbers',
  },
  'wabas.analytics': {
    route: 'GET /api/waba/analytics',
    summary: 'Meta’s analytics: messages by day, volume and cost by category',
    roles: watchers,
    scope: 'reports:read',
    query: z.object({ waba_id: MetaId, from: Day, to: Day, phone_number_id: MetaId.optional() }),
    asksProvider: true,
    data: WhatsappAnalytics,
    fallback: 'An unexpected error occurred',
  },
  'wabas.profile': {
    route: 'GET /api/waba/whatsapp_business_profile',
    summary: 'The business profile of a number',
    roles: ['admin', 'manager', 'user'],
    query: z.object({ phone_number_id: MetaId }),
    asksProvider: true,
    data: WhatsappProfile,
    fallback: 'An unexpected error occurred',
  },
  'wabas.saveProfile': {
    route: 'POST /api/waba/whatsapp_business_profile',
    summary: 'Change the profile of a number',
    roles: ['admin', 'manager', 'user'],
    body: WhatsappProfile.omit({ profile_picture_url: true }).extend({
      phone_number_id: MetaId,
      /** From `upload-meta-session`. */
      profile_picture_handle: z.string().max(2000).optional(),
    }),
    asksProvider: true,
    data: WhatsappProfile,
    fallback: 'An unexpected error occurred',
  },
  'wabas.solutionIds': {
    route: 'GET /api/channels/get-waba-provider-solution-ids',
    summary: 'The solutions of Meta partners that this installation offers for sign-up',
    roles: ['admin', 'reseller', 'manager', 'user'],
    data: z.array(Solution),
    fallback: 'An unexpected error occurred',
  },
  'wabas.solution': {
    route: 'GET /api/waba/admin/get-waba-solution-selection',
    summary: 'The partner solution used for sign-up, and the available ones',
    roles: ['admin', 'reseller', 'manager'],
    data: z.object({ solutionId: z.string().nullable(), solutions: z.array(Solution) }),
    fallback: 'An unexpected error occurred',
  },
  'wabas.chooseSolution': {
    route: 'POST /api/waba/admin/update-waba-solution-provider',
    summary: 'Set the partner solution used for sign-up; null for none',
    roles: ['admin'],
    body: z.object({ solutionId: z.string().max(60).nullable() }),
    data: z.object({ solutionId: z.string().nullable(), solutions: z.array(Solution) }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
})
