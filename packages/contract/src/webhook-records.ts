import { z } from 'zod'
import { ApiEnvironment } from './api-key-records.ts'
import { FailureClass, MessageStatus, PauseReason } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, Instant, Line, Rupees } from './common.ts'
import { ConversationPriority, ConversationStatus, HeldBy, MessageBody } from './conversation-records.ts'

/** What an endpoint can subscribe to, with descriptions for users. */
export const webhookEvents = {
  'message.sent': 'A provider took a message.',
  'message.delivered': 'A message reached the phone.',
  'message.read': 'A person read a message.',
  'message.failed': 'A message was rejected or could not be delivered.',
  'message.expired': 'A message was not delivered before its expiry.',
  'message.clicked': 'A recipient of a campaign clicked a tracked link for the first time.',
  'message.inbound': 'A person sent a message.',
  'conversation.opened': 'A person wrote in a new or resolved conversation.',
  'conversation.assigned': 'A conversation was assigned to a member.',
  'conversation.resolved': 'A conversation was resolved.',
  'contact.opted_out': 'A person opted out of messages of a channel.',
  'contact.opted_in': 'A person opted in again.',
  'template.status_changed': 'The review of a template has a new status.',
  'template.quality_changed': 'The provider rates the quality of a template differently.',
  'template.category_changed': 'The provider changed the category of a template.',
  'channel.connected': 'A provider account or a sender was connected, switched on or works again.',
  'channel.disconnected': 'A provider refuses the credentials of an account, or a sender was switched off or deleted.',
  'channel.quality_changed': 'The provider rates the quality of a sender differently.',
  'campaign.started': 'A campaign began to send.',
  'campaign.paused': 'A campaign was paused.',
  'campaign.completed': 'A campaign has sent its last message.',
  'topup.requested': 'A top-up was requested.',
  'topup.completed': 'A top-up request was approved or rejected.',
  'balance.low': 'A balance fell below the threshold.',
} as const

// The keys of the table, each once.
const eventTypes = Object.keys(webhookEvents) as [keyof typeof webhookEvents]

export const WebhookEventType = z.enum(eventTypes)
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** `endpoint.test` is sent on request, whatever the endpoint subscribes to. */
export const DeliveredType = z.enum([...eventTypes, 'endpoint.test'])
export type DeliveredType = z.infer<typeof DeliveredType>

const Named = z.object({ id: Id, name: z.string() })

export const MessageData = z.object({
  /** The id of a single message. Of a message of a campaign: id of the campaign, leg and position. */
  id: z.string(),
  kind: z.enum(['campaign', 'api', 'reply', 'test']),
  channel: Channel,
  /** Absent if the channel does not reveal the number. */
  to: z.string().optional(),
  from: z.string(),
  sender: Named,
  status: MessageStatus,
  /** The class of a failure. */
  reason: FailureClass.optional(),
  /** The provider's error code. */
  code: z.string().optional(),
  parts: z.number(),
  cost: Rupees,
  /** The message that this one is a leg of. */
  legOf: Id.optional(),
  /** Chosen by the caller of the API. */
  reference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  campaign: Named.extend({ position: z.number() }).optional(),
  conversationId: Id.optional(),
  sentAt: Instant.optional(),
  deliveredAt: Instant.optional(),
  readAt: Instant.optional(),
  failedAt: Instant.optional(),
})

/** The message that has the link, with its status at the time of the webhook. */
export const ClickData = MessageData.extend({
  /** The variable that has its address, and the page that it leads to. */
  link: z.object({ variable: z.string(), url: z.string() }),
  clickedAt: Instant,
})

export const InboundData = z.object({
  id: Id,
  conversationId: Id,
  contactId: Id,
  channel: Channel,
  sender: Named,
  /** Absent if the channel does not reveal the number. */
  from: z.string().optional(),
  username: z.string().optional(),
  name: z.string(),
  body: MessageBody,
  inReplyToId: Id.optional(),
  campaignId: Id.optional(),
  receivedAt: Instant,
})

export const ConversationData = z.object({
  id: Id,
  contactId: Id,
  channel: Channel,
  sender: Named,
  phoneNumber: z.string().optional(),
  username: z.string().optional(),
  name: z.string(),
  status: ConversationStatus,
  handledBy: HeldBy,
  assignee: Named.optional(),
  team: Named.optional(),
  priority: ConversationPriority,
  labels: z.array(z.string()),
  windowExpiresAt: Instant.optional(),
  openedAt: Instant,
})

export const ContactData = z.object({ phoneNumber: z.string(), channel: Channel })
export const OptOutData = ContactData.extend({
  keyword: z.string(),
  source: z.string(),
  /** Only messages of the category marketing are stopped. */
  marketingOnly: z.boolean(),
})

export const TemplateData = z.object({
  id: Id,
  name: z.string(),
  channel: Channel,
  language: z.string(),
  category: z.string(),
  status: z.string(),
  quality: z.string().optional(),
  /** The change in words. */
  detail: z.string(),
})

export const ChannelData = z.object({
  channel: Channel,
  account: Named,
  sender: Named.optional(),
  reason: z.enum(['connected', 'switched_on', 'refused', 'switched_off', 'deleted']),
  detail: z.string().optional(),
})

export const ChannelQualityData = z.object({
  channel: Channel,
  account: Named,
  sender: Named,
  quality: z.string(),
  previousQuality: z.string().nullable(),
})

export const CampaignData = z.object({
  id: Id,
  name: z.string(),
  channel: Channel,
  status: z.string(),
  pauseReason: PauseReason.optional(),
  total: z.number(),
  sent: z.number(),
  delivered: z.number(),
  read: z.number(),
  failed: z.number(),
  skipped: z.number(),
  startedAt: Instant.optional(),
  completedAt: Instant.optional(),
})

export const TopUpData = z.object({
  id: Id,
  accountId: Id,
  status: z.string(),
  amount: Rupees,
  approvedAmount: Rupees.optional(),
})

export const BalanceData = z.object({ accountId: Id, available: Rupees })
export const TestData = z.object({ endpointId: Id, message: z.string() })

/** The `data` of each type. Of a body above the maximum size, only ids are left, and `isCut` is true. */
export const webhookData = {
  'message.sent': MessageData,
  'message.delivered': MessageData,
  'message.read': MessageData,
  'message.failed': MessageData,
  'message.expired': MessageData,
  'message.clicked': ClickData,
  'message.inbound': InboundData,
  'conversation.opened': ConversationData,
  'conversation.assigned': ConversationData,
  'conversation.resolved': ConversationData,
  'contact.opted_out': OptOutData,
  'contact.opted_in': ContactData,
  'template.status_changed': TemplateData,
  'template.quality_changed': TemplateData,
  'template.category_changed': TemplateData,
  'channel.connected': ChannelData,
  'channel.disconnected': ChannelData,
  'channel.quality_changed': ChannelQualityData,
  'campaign.started': CampaignData,
  'campaign.paused': CampaignData,
  'campaign.completed': CampaignData,
  'topup.requested': TopUpData,
  'topup.completed': TopUpData,
  'balance.low': BalanceData,
  'endpoint.test': TestData,
} as const satisfies Record<DeliveredType, z.ZodType>

export type WebhookData<Type extends DeliveredType> = z.input<(typeof webhookData)[Type]>

/** Larger bodies are cut to ids. */
export const maximumWebhookBytes = 20_000
/** Of an account. */
export const maximumWebhookEndpoints = 20
/** How long the previous secret signs as well after a rotation. */
export const rotationHours = 24

/** `v1`: HMAC-SHA256 with a shared secret. `v1a`: Ed25519, checked with a public key. */
export const WebhookSignature = z.enum(['v1', 'v1a'])
export type WebhookSignature = z.infer<typeof WebhookSignature>

/** `owner`: by a member. `gone`: it answered 410. `failing`: five days of nothing but failures. */
export const DisabledReason = z.enum(['owner', 'gone', 'failing'])
export type DisabledReason = z.infer<typeof DisabledReason>

export const WebhookEndpoint = z.object({
  id: Id,
  environment: ApiEnvironment,
  url: z.string(),
  description: z.string(),
  types: z.array(WebhookEventType),
  /** Deliveries of a conversation or recipient are sent one after the other, the oldest first. */
  ordered: z.boolean(),
  signature: WebhookSignature,
  /** The key that checks signatures of the scheme `v1a`. */
  publicKey: z.string().nullable(),
  /** Until then the previous secret signs as well. */
  previousSecretUntil: z.string().nullable(),
  enabled: z.boolean(),
  disabledReason: DisabledReason.nullable(),
  disabledAt: z.string().nullable(),
  /** Since then every attempt has failed. This and the next three lag behind by a few seconds. */
  failingSince: z.string().nullable(),
  lastDeliveredAt: z.string().nullable(),
  lastFailedAt: z.string().nullable(),
  /** Nothing is sent before this time, because the endpoint does not answer or asked to wait. */
  heldUntil: z.string().nullable(),
  /** The owner, whose scope limits the events. */
  createdBy: z.object({ _id: Id, name: z.string() }),
  /** Only owners change their endpoints. Accounts above them can delete them. */
  isOwn: z.boolean(),
  createdAt: z.string(),
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** `secret` begins with `whsec_` and is shown once; null for the scheme `v1a`, which has a public key. */
export const NewWebhookEndpoint = WebhookEndpoint.extend({ secret: z.string().nullable() })
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>

export const WebhookEndpointInput = z.strictObject({
  url: z.url('Enter a URL such as https://example.com/webhooks').max(2000),
  description: Line.max(200),
  types: z
    .array(WebhookEventType)
    .min(1, 'Choose at least one type')
    .max(eventTypes.length)
    .refine((types) => new Set(types).size === types.length, 'Name each type once'),
  ordered: z.boolean(),
})

/**
 * `pending`: not attempted yet. `failed`: the last attempt failed, another one follows. `dead`: no attempt is left. `retained`: kept while
 * the endpoint was disabled.
 */
export const DeliveryStatus = z.enum(['pending', 'failed', 'delivered', 'dead', 'retained'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

export const DeliveryAttempt = z.object({
  at: z.string(),
  durationMs: z.number(),
  /** The HTTP status; absent if there was no response. */
  status: z.number().optional(),
  /** The first 4 KB of the response. */
  response: z.string().optional(),
  /** Why there was no response, or why it does not count. */
  error: z.string().optional(),
  isReplay: z.boolean().optional(),
})
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>

export const WebhookDelivery = z.object({
  id: Id,
  /** The header `webhook-id`, the same for every attempt and replay. */
  webhookId: z.string(),
  type: DeliveredType,
  status: DeliveryStatus,
  /** When the event occurred. */
  at: z.string(),
  /** The next attempt, if one is planned. */
  nextAttemptAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The body of the request. */
  body: z.string(),
  /** Oldest first. */
  attempts: z.array(DeliveryAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
