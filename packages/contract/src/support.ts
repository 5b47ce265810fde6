import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Instant, Line } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'
import { ApiSendDetails, ApiSendMessage, ApiSendRequest, ApiSendStatus } from './request-log-records.ts'
import { anyRole, Role } from './roles.ts'

/** `support`: a question or problem; `feedback`: an opinion. */
export const SupportKind = z.enum(['support', 'feedback'])
export const SupportStatus = z.enum(['open', 'in_progress', 'waiting_on_customer', 'resolved', 'closed', 'reopened'])
export type SupportStatus = z.infer<typeof SupportStatus>
export const SupportCategory = z.enum([
  'delivery',
  'template_approval',
  'channel_onboarding',
  'billing',
  'topup',
  'dlt',
  'api',
  'account_access',
  'bug',
  'feature_request',
  'abuse',
  'other',
])
export type SupportCategory = z.infer<typeof SupportCategory>
export const SupportPriority = z.enum(['low', 'normal', 'high', 'urgent'])

export const SupportRequest = z.object({
  id: Id,
  /** A short number per organisation, easy to say on the phone. */
  requestNumber: z.string(),
  kind: SupportKind,
  subject: z.string(),
  category: SupportCategory,
  priority: SupportPriority,
  status: SupportStatus,
  openedBy: z.object({ _id: Id, name: z.string(), type: Role, organization: z.string() }),
  /** The account that has to answer: the one above the opener, or a higher one after escalation. */
  answeredBy: z.object({ _id: Id, name: z.string() }).optional(),
  isEscalated: z.boolean(),
  /** Whether the caller may answer, close or escalate it. */
  mayAnswer: z.boolean(),
  mayEscalate: z.boolean(),
  unread: z.number(),
  messageCount: z.number(),
  campaignId: Id.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type SupportRequest = z.infer<typeof SupportRequest>

export const SupportMessage = z.object({
  id: Id,
  author: z.object({ _id: Id.optional(), name: z.string(), type: Role.optional() }),
  /** `system`: a change of status. */
  direction: z.enum(['customer', 'staff', 'system']),
  /** `internal`: visible only to support. */
  visibility: z.enum(['public', 'internal']),
  body: z.string(),
  createdAt: z.string(),
})
export type SupportMessage = z.infer<typeof SupportMessage>

const required = { id: 'Request ID is required.' }
const MessageBody = z.string().trim().min(1, 'Write a message').max(5000)

export const supportEndpoints = defineEndpoints({
  'support.list': {
    route: 'GET /api/ums/v1/ums-req/requests',
    summary:
      'Support requests opened by the caller, or by accounts below; with kind=api_send the calls of API keys that send, newest first',
    roles: anyRole,
    query: PageQuery.extend({
      kind: z.enum([...SupportKind.options, 'api_send']).optional(),
      status: z.enum([...SupportStatus.options, ...ApiSendStatus.options]).optional(),
      /** Of support requests. */
      box: z.enum(['mine', 'incoming']).default('mine'),
      search: z.string().trim().max(80).optional(),
      /** Of calls of API keys. */
      channel: Channel.optional(),
      key: Id.optional(),
      from: Instant.optional(),
      to: Instant.optional(),
    }),
    data: z.object({ data: z.array(z.union([SupportRequest, ApiSendRequest])), pagination: Pagination }),
    fallback: 'Failed to fetch UMS requests',
  },
  'support.get': {
    route: 'GET /api/ums/v1/ums-req/requests/{id}',
    summary: 'One support request, or one call of an API key that sends with its bodies',
    roles: anyRole,
    path: IdPath,
    data: z.union([SupportRequest, ApiSendDetails]),
    fallback: 'Failed to fetch UMS request details',
    required,
  },
  'support.messages': {
    route: 'GET /api/ums/v1/ums-req/requests/{id}/messages',
    summary:
      'The messages of a support request, newest page first, or those that a call of an API key sent, in the order of the call',
    roles: anyRole,
    path: IdPath,
    query: PageQuery,
    data: z.object({ data: z.array(z.union([SupportMessage, ApiSendMessage])), pagination: Pagination }),
    fallback: 'Failed to fetch UMS request messages',
    required,
  },
  'support.open': {
    route: 'POST /api/ums/v1/ums-req/requests',
    summary: 'Open a support request; the account above answers it',
    roles: anyRole,
    body: z.strictObject({
      kind: SupportKind.default('support'),
      subject: Line.min(3, 'Enter a short subject').max(160),
      category: SupportCategory.default('other'),
      priority: SupportPriority.default('normal'),
      body: MessageBody,
      campaignId: Id.optional(),
    }),
    data: SupportRequest,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'support.answer': {
    route: 'POST /api/ums/v1/ums-req/requests/{id}/messages',
    summary: 'Reply to a support request; notes are visible only to support',
    roles: anyRole,
    path: IdPath,
    body: z.strictObject({ body: MessageBody, isInternal: z.boolean().default(false) }),
    data: SupportMessage,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'support.setStatus': {
    route: 'PUT /api/ums/v1/ums-req/requests/{id}/status',
    summary: 'Resolve, close or reopen a support request',
    roles: anyRole,
    path: IdPath,
    body: z.strictObject({ status: SupportStatus }),
    data: SupportRequest,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'support.escalate': {
    route: 'POST /api/ums/v1/ums-req/requests/{id}/escalate',
    summary: 'Escalate a support request to the account above',
    roles: ['reseller', 'manager'],
    path: IdPath,
    body: z.strictObject({ note: z.string().trim().max(1000).default('') }),
    data: SupportRequest,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
})
