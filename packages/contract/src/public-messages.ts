import { z } from 'zod'
import { IdPath, Instant, PhoneNumber, Rupees } from './common.ts'
import { Channel } from './channels.ts'
import { defineEndpoints } from './endpoint.ts'
import {
  AcceptedMessage,
  BatchAnswer,
  CheckedMessage,
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
    isLogged: true,
    repeatsTogether: true,
    testKeys: true,
    tool: {
      name: 'send_message',
      title: 'Send a message',
      description:
        'Sends one message. Unless dryRun is false, it only checks the message and answers what it would cost.',
      dryRun: 'publicMessages.check',
    },
  },
  'publicMessages.check': {
    route: 'POST /api/public/v1/messages/check',
    summary: 'Checks a message as if it were sent, and answers its sender, parts and cost. Nothing is sent or charged',
    roles: senders,
    module: 'api',
    scope: 'messages:send',
    testKeys: true,
    body: PublicSend,
    data: CheckedMessage,
    fallback,
    addition: true,
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
    isLogged: true,
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
    tool: {
      name: 'list_messages',
      title: 'List messages',
      description: 'Lists single messages that were sent, newest first, with their status. Continue with cursor.',
    },
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
    tool: {
      name: 'get_message',
      title: 'Get a message',
      description: 'Reads one message and its status by its id.',
    },
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
    tool: {
      name: 'list_inbound_messages',
      title: 'List messages of people',
      description: 'Lists messages that people sent, newest first. Continue with cursor.',
    },
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
    tool: {
      name: 'list_templates',
      title: 'List templates',
      description: 'Lists templates with their status and the names of the values that a message needs.',
    },
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
    tool: {
      name: 'get_balance',
      title: 'Get the balance',
      description: 'Reads the balance in rupees of the account that pays, and how much of it is available.',
    },
  },
})
