import { z } from 'zod'

/** What an API key may be allowed to do. Each scope has at least one call. */
export const ApiScope = z.enum([
  'campaigns:read',
  'campaigns:write',
  'contacts:read',
  'contacts:write',
  'templates:read',
  'templates:write',
  'chats:read',
  'chats:write',
  'media:write',
  'messages:send',
  'messages:read',
  'otp:send',
  'reports:read',
  'reports:write',
  'balance:read',
  'events:receive',
  'webhooks:write',
])
export type ApiScope = z.infer<typeof ApiScope>

/** The scopes in words, for screens and documentation. */
export const apiScopeLabels: Record<ApiScope, string> = {
  'campaigns:read': 'List campaigns, drafts and replies, and the senders that campaigns can use',
  'campaigns:write': 'Create, start, pause and discard campaigns',
  'contacts:read': 'Read audiences, contacts and opt-outs',
  'contacts:write': 'Upload audiences, change contacts, add and remove opt-outs',
  'templates:read': 'Read templates',
  'templates:write': 'Create, change and delete templates',
  'chats:read': 'Read conversations and canned replies',
  'chats:write': 'Reply in conversations, assign and resolve them, change canned replies',
  'media:write': 'List, upload and delete media',
  'messages:send': 'Send single messages and batches, and cancel those that wait',
  'messages:read': 'Read messages, their status and replies',
  'otp:send': 'Send and verify one-time passwords',
  'reports:read': 'Read and download reports',
  'reports:write': 'Prepare and delete reports',
  'balance:read': 'Read balance, prices and statements',
  'events:receive': 'Receive all events with a listener',
  'webhooks:write': 'Read, change and delete webhook endpoints, and replay their deliveries',
}
