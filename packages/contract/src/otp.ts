import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, Line } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Wrong codes after which a password is void. */
export const otpTries = 5
/** Between two messages to the same number. */
export const otpResendSeconds = 30
/** Messages of one password. */
export const otpSends = 5

const call = {
  roles: ['user', 'manager', 'department_head'],
  module: 'api',
  scope: 'otp:send',
  addition: true,
  testKeys: true,
  fallback: 'An unexpected error occurred',
} as const

const Wording = z.strictObject({
  channel: Channel.optional(),
  /** A sender by id, name, number or header. */
  from: Line.min(1).max(100).optional(),
  template: z
    .strictObject({
      id: Id.optional(),
      name: Line.min(1).max(512).optional(),
      language: Line.min(2).max(20).optional(),
      /** The template's variable for the code. */
      codeName: z.string().min(1).max(80).default('code'),
      /** Of the other variables. */
      values: z.record(z.string().max(80), z.string().max(200, 'Enter 200 characters at most')).default({}),
    })
    .refine(({ id, name }) => (id === undefined) !== (name === undefined), 'Name the template by id or by name')
    .optional(),
  text: z
    .string()
    .trim()
    .max(1000)
    .refine((text) => text.includes('{code}'), 'Write {code} where the code belongs')
    .optional(),
})
export type OtpWording = z.output<typeof Wording>

const hasOneContent = ({ template, text }: { template?: unknown; text?: unknown }) =>
  (template === undefined) !== (text === undefined)
const oneContent = { message: 'Enter one of template and text', path: ['text'] }

export const OtpRequest = Wording.extend({
  to: Line.min(4).max(25),
  /** Digits of the code. */
  length: z.int().min(4).max(10).default(6),
  expirySeconds: z.int().min(60).max(3600).default(300),
  /**
   * `atMostOnce`: a message whose response was lost is not sent again, so it may be missing. `atLeastOnce`: it is, so it may arrive twice.
   */
  delivery: z.enum(['atMostOnce', 'atLeastOnce']).default('atMostOnce'),
  /** The caller's own id; need not be unique. */
  reference: Line.min(1).max(64).optional(),
}).refine(hasOneContent, oneContent)
export type OtpRequest = z.output<typeof OtpRequest>

export const OtpStatus = z.enum(['pending', 'verified', 'expired', 'exhausted'])

const Otp = z.object({
  id: Id,
  to: z.string(),
  status: OtpStatus,
  channel: Channel,
  /** The message, whose delivery `GET /api/public/v1/messages/{id}` tells. */
  messageId: Id,
  expiresAt: Instant,
  resendAt: Instant,
  triesLeft: z.int(),
  reference: z.string().optional(),
})

export const otpEndpoints = defineEndpoints({
  'otp.send': {
    ...call,
    route: 'POST /api/public/v1/otp',
    summary: 'Sends a one-time password. Earlier ones of the caller for the same number end',
    body: OtpRequest,
    data: Otp,
  },
  'otp.get': {
    ...call,
    route: 'GET /api/public/v1/otp/{id}',
    summary: 'A one-time password without its code',
    path: IdPath,
    data: Otp,
  },
  'otp.verify': {
    ...call,
    route: 'POST /api/public/v1/otp/{id}/verify',
    summary: `Whether a code is right. A password can be verified once, and is void after ${otpTries} wrong codes`,
    path: IdPath,
    body: z.strictObject({ code: z.string().regex(/^\d{4,10}$/, 'Enter the digits of the code') }),
    data: z.object({ valid: z.boolean(), status: OtpStatus, triesLeft: z.int() }),
  },
  'otp.resend': {
    ...call,
    route: 'POST /api/public/v1/otp/{id}/resend',
    summary: `Sends a new code for the same password, ${otpResendSeconds} seconds after the last one at the earliest; by another channel if the body names one`,
    path: IdPath,
    body: Wording.refine(
      (wording) => (wording.template === undefined && wording.text === undefined) || hasOneContent(wording),
      oneContent,
    ),
    data: Otp,
  },
})
