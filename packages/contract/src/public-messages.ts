import { z } from 'zod'
import { IdPath, Instant, PhoneNumber, Rupees } from './common.ts'
import { Channel } from './channels.ts'
import { defineEndpoints } from './endpoint.ts'
import {
  AcceptedMessage,
  BatchAnswer,
  CursorQuery,
  maximumBatch,
  PublicInbound,
  PublicMessage,
  PublicSend,
  PublicTemplateRecord,
  UncheckedSend,
} from './public-message-records.ts'
import { anyRole } from './roles.ts'

const fallback = 'An unexpected error occurred'
const senders = ['user', 'manager', 'department_head'] as const
const cursor = z.string().nullable()

/** The public API. Strict bodies: an unknown field is an error, not a wish that is ignored. */
export const publicMessageEndpoints = defineEndpoints({
  'publicMessages.send': {
    route: 'POST /api/public/v1/messages',
    summary: 'Accepts one message. With an `Idempotency-Key` a repeat returns the first answer',
    roles: senders,
    module: 'api',
    scope: 'messages:send',
    body: PublicSend,
    data: AcceptedMessage,
    fallback,
    addition: true,
    repeatsTogether: true,
    testKeys: true,
  },
  'publicMessages.sendMany': {
    route: 'POST /api/public/v1/messages/batch',
    summary: `Accepts up to ${maximumBatch} messages, with an answer for each`,
    roles: senders,
    module: 'api',
    scope: 'messages:send',
    body: z.strictObject({
      messages: z
        .array(UncheckedSend)
        .min(1, 'Enter at least one message')
        .max(maximumBatch, `Enter ${maximumBatch} messages at most`),
    }),
    maximumBodyBytes: 4 * 1024 * 1024,
    data: BatchAnswer,
    fallback,
    addition: true,
    repeatsTogether: true,
    testKeys: true,
  },
  'publicMessages.list': {
    route: 'GET /api/public/v1/messages',
    summary: 'Single messages, newest first, such as those with a reference',
    roles: senders,
    module: 'api',
    scope: 'messages:read',
    query: CursorQuery.extend({
      reference: z.string().max(64).optional(),
      to: PhoneNumber.optional(),
      since: Instant.optional(),
    }),
    data: z.object({ messages: z.array(PublicMessage), cursor }),
    fallback,
    addition: true,
  },
  'publicMessages.get': {
    route: 'GET /api/public/v1/messages/{id}',
    summary: 'A single message and its status',
    roles: senders,
    module: 'api',
    scope: 'messages:read',
    path: IdPath,
    data: PublicMessage,
    fallback,
    addition: true,
  },
  'publicMessages.cancel': {
    route: 'POST /api/public/v1/messages/{id}/cancel',
    summary: 'Withdraws a message that was not handed over yet; its cost is released',
    roles: senders,
    module: 'api',
    scope: 'messages:send',
    path: IdPath,
    data: PublicMessage,
    fallback,
    testKeys: true,
    addition: true,
  },
  'publicInbound.list': {
    route: 'GET /api/public/v1/inbound',
    summary: 'Messages of people, newest first',
    roles: senders,
    module: 'api',
    scope: 'messages:read',
    query: CursorQuery.extend({ from: PhoneNumber.optional(), since: Instant.optional() }),
    data: z.object({ messages: z.array(PublicInbound), cursor }),
    fallback,
    addition: true,
  },
  'publicTemplates.list': {
    route: 'GET /api/public/v1/templates',
    summary: 'Templates with the names of their values',
    roles: senders,
    module: 'api',
    scope: 'templates:read',
    query: CursorQuery.extend({ channel: Channel.optional() }),
    data: z.object({ templates: z.array(PublicTemplateRecord), cursor }),
    fallback,
    addition: true,
  },
  'publicBalance.get': {
    route: 'GET /api/public/v1/balance',
    summary: 'The balance of the account that pays',
    roles: anyRole,
    module: 'api',
    scope: 'balance:read',
    data: z.object({ balance: Rupees, available: Rupees, currency: z.literal('INR') }),
    fallback,
    addition: true,
  },
})
