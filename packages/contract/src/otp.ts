import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, Line } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { LegConditions, maximumLegs } from './public-message-records.ts'

/** Wrong codes after which a password is void, unless the key config has another number. */
export const otpTries = 5
/** Between two messages to the same number; a key config may have more. */
export const otpResendSeconds = 30
export const otpLength = 6
export const otpExpirySeconds = 300
/** How long a leg waits for a delivery report if it has no entry conditions. */
export const otpLegSeconds = 30
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
      /** The template's variable for the code. By default its only one, or `code`. */
      codeName: z.string().min(1).max(80).optional(),
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

type Content = { template?: unknown; text?: unknown }
const hasOneContent = ({ template, text }: Content) => (template === undefined) !== (text === undefined)
const hasNoTwo = ({ template, text }: Content) => template === undefined || text === undefined
const oneContent = { message: 'Enter one of template and text', path: ['text'] }

/** A message with the same code, which is sent if the one before does not arrive and the code was not verified. */
const OtpLeg = Wording.extend({
  /** By default if the message before failed, or was not delivered in 30 seconds. */
  entryConditions: LegConditions.optional(),
}).refine(hasOneContent, oneContent)
export type OtpLeg = z.output<typeof OtpLeg>

export const OtpRequest = Wording.extend({
  to: Line.min(4).max(25),
  legs: z.array(OtpLeg).max(maximumLegs, `Enter ${maximumLegs} legs at most`).optional(),
  /** Digits of the code: 6, or as the key config says. */
  length: z.int().min(4).max(10).optional(),
  /** 300, or as the key config says. */
  expirySeconds: z.int().min(60).max(3600).optional(),
  /**
   * `atMostOnce`: a message whose response was lost is not sent again, so it may be missing. `atLeastOnce`: it is, so it may arrive twice.
   */
  delivery: z.enum(['atMostOnce', 'atLeastOnce']).default('atMostOnce'),
  /** The caller's own id; need not be unique. */
  reference: Line.min(1).max(64).optional(),
})
  // The key config may have templates.
  .refine(hasNoTwo, oneContent)
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
    isLogged: true,
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
    summary: `Whether a code is right. A password can be verified once, and is void after ${otpTries} wrong codes, or as many as the key config says`,
    path: IdPath,
    body: z.strictObject({ code: z.string().regex(/^\d{4,10}$/, 'Enter the digits of the code') }),
    data: z.object({ valid: z.boolean(), status: OtpStatus, triesLeft: z.int() }),
  },
  'otp.resend': {
    ...call,
    isLogged: true,
    route: 'POST /api/public/v1/otp/{id}/resend',
    summary: `Sends a new code for the same password, ${otpResendSeconds} seconds after the last one at the earliest, without its legs; by another channel if the body names one`,
    path: IdPath,
    body: Wording.refine(hasNoTwo, oneContent),
    data: Otp,
  },
})
