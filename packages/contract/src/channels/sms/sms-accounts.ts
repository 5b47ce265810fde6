import { z } from 'zod'
import { Id, IdPath, Name, Nothing, PhoneNumber } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { AccountHour, ConnectionCheck, LaneState, ProviderForm, ReceiptFindings } from '../../senders.ts'

/** Origin of an SMS: a registered header of 3 to 11 letters and digits, or a number. */
export const SmsHeader = z
  .string()
  .trim()
  .regex(
    /^(?:[A-Za-z0-9][A-Za-z0-9 &._-]{1,9}[A-Za-z0-9]|\+?\d{3,15})$/,
    'A header is 3 to 11 letters and digits, or a number',
  )

export const SmsAccount = z.object({
  _id: Id,
  name: z.string(),
  isActive: z.boolean(),
  provider: z.string(),
  providerLabel: z.string(),
  headers: z.array(z.string()),
  /** DLT principal entity id, 19 digits; used by templates without one. */
  entityId: z.string().optional(),
  /** Parts per second agreed with the operator. */
  ratePerSecond: z.number(),
  /** The provider's settings without secrets; `secretsSet` lists the stored secrets. */
  config: z.record(z.string(), z.unknown()),
  secretsSet: z.array(z.string()),
  /** URL for this account's delivery reports and inbound messages; HTTP providers only. */
  callbackUrl: z.string().optional(),
  state: LaneState,
  /** Absent until the first receipts have arrived. */
  receipts: ReceiptFindings.optional(),
  createdAt: z.string(),
})
export type SmsAccount = z.infer<typeof SmsAccount>

const rateRange = 'Enter a whole number from 1 to 10,000'

export const SmsAccountInput = z.object({
  name: Name,
  provider: z.string().min(1).max(60),
  headers: z.array(SmsHeader).min(1, 'Enter at least one header').max(50),
  entityId: z
    .string()
    .regex(/^\d{19}$/, 'An entity id has 19 digits')
    .optional(),
  ratePerSecond: z.number(rateRange).int(rateRange).min(1, rateRange).max(10_000, rateRange).default(30),
  config: z.record(z.string(), z.unknown()),
})
export type SmsAccountInput = z.infer<typeof SmsAccountInput>

export const TestSend = z.object({ messageId: Id, campaignId: Id.optional() })

/** The calls for SMS accounts. */
export const smsAccountEndpoints = defineEndpoints({
  'smsAccounts.list': {
    route: 'GET /api/sms/accounts',
    summary: 'The organisation’s SMS accounts with the live state of each connection',
    roles: ['user', 'manager'],
    data: z.array(SmsAccount),
    fallback: 'Failed to fetch SMS accounts',
  },
  'smsAccounts.health': {
    route: 'GET /api/sms/accounts/health',
    summary: 'The last 24 hours of each SMS account, in the caller’s time zone; the last is the current hour',
    roles: ['user', 'manager'],
    data: z.array(z.object({ _id: Id, hours: z.array(AccountHour) })),
    fallback: 'Failed to fetch SMS accounts',
    addition: true,
  },
  'smsAccounts.get': {
    route: 'GET /api/sms/accounts/{id}',
    summary: 'One SMS account',
    roles: ['user', 'manager'],
    path: IdPath,
    data: SmsAccount,
    fallback: 'Failed to fetch SMS accounts',
    addition: true,
  },
  'smsAccounts.check': {
    route: 'POST /api/sms/accounts/check',
    summary: 'Test connection settings before saving; omitted secrets use the stored ones',
    roles: ['manager'],
    body: SmsAccountInput.extend({ id: Id.optional() }),
    asksProvider: true,
    data: ConnectionCheck,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'smsAccounts.create': {
    route: 'POST /api/sms/accounts',
    summary: 'Connect an SMS account; it starts inactive',
    roles: ['manager'],
    body: SmsAccountInput,
    data: SmsAccount,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'smsAccounts.update': {
    route: 'PUT /api/sms/accounts/{id}',
    summary: 'Change an SMS account; omitted secrets are unchanged',
    roles: ['manager'],
    path: IdPath,
    body: SmsAccountInput,
    data: SmsAccount,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'smsAccounts.activate': {
    route: 'PUT /api/sms/accounts/activate',
    summary: 'Switch an SMS account on or off; off stops sending immediately',
    roles: ['user', 'manager'],
    body: z.object({ id: Id, isActive: z.boolean() }),
    data: SmsAccount,
    fallback: 'An unexpected error occurred',
  },
  'smsAccounts.delete': {
    route: 'DELETE /api/sms/accounts/{id}',
    summary:
      'Delete an SMS account with its templates; rejected while scheduled or running campaigns need it. Sent messages keep its name',
    roles: ['manager'],
    path: IdPath,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'smsAccounts.test': {
    route: 'POST /api/sms/accounts/{id}/test',
    summary: 'Send one message through the account and charge it',
    roles: ['user', 'manager'],
    path: IdPath,
    body: z.object({ phoneNumber: PhoneNumber, header: SmsHeader, text: z.string().trim().min(1).max(1600) }),
    data: TestSend,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'providers.list': {
    route: 'GET /api/sms/providers',
    summary: 'The providers an SMS account can be connected to, with the form of each',
    roles: ['user', 'manager'],
    data: z.array(ProviderForm),
    fallback: 'Failed to fetch SMS accounts',
    addition: true,
  },
})
