import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { anyRole } from './roles.ts'

export const NotificationKind = z.enum([
  'campaign_completed',
  'campaign_paused',
  'campaign_resumed',
  'campaign_failed',
  'topup_requested',
  'topup_approved',
  'topup_rejected',
  'balance_low',
  'template_approved',
  'template_rejected',
  'support_opened',
  'support_answered',
  'account_registered',
  'account_visited',
  'account_security',
  'connection_failed',
  'sender_requested',
  'sender_changed',
  'sending_paused',
  'key_limit_exceeded',
  'conversation_assigned',
  'conversation_mentioned',
  'message_received',
  'webhook_disabled',
  'report_ready',
  'report_failed',
  'report_schedule_failed',
])
export type NotificationKind = z.infer<typeof NotificationKind>

/** An event for one account. */
export const Notification = z.object({
  _id: Id,
  kind: NotificationKind,
  title: z.string(),
  description: z.string(),
  /** Target of the notification's link. */
  link: z
    .object({
      type: z.enum([
        'campaign',
        'support_request',
        'top_up',
        'template',
        'account',
        'balance',
        'connection',
        'sender_requests',
        'sending',
        'conversation',
        'webhook_endpoint',
        'report',
        'report_schedule',
      ]),
      id: z.string(),
      /** Of a template. */
      channel: Channel.optional(),
    })
    .optional(),
  /** Events since it was last read, if it stands for several, such as the messages of a conversation. */
  count: z.number().optional(),
  isNew: z.boolean(),
  at: z.string(),
})
export type Notification = z.infer<typeof Notification>

export const notificationEndpoints = defineEndpoints({
  'notifications.list': {
    route: 'GET /api/v1/notifications',
    summary: 'Notifications of the caller’s account, newest first',
    roles: anyRole,
    query: PageQuery.extend({ unread: z.enum(['true', 'false']).optional() }),
    data: z.object({
      notifications: z.array(Notification),
      total: z.number(),
      unread: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'notifications.read': {
    route: 'POST /api/v1/notifications/read',
    summary: 'Mark notifications as seen; all of them without ids',
    roles: anyRole,
    body: z.object({ ids: z.array(Id).max(200).optional() }),
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
