import { z } from 'zod'
import { Channel, ChannelFlags } from './channels.ts'
import { Id } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { anyRole } from './roles.ts'

/** Current state of a provider connection. */
export const LaneState = z.object({
  /** `off`: deactivated. `connecting`: no bind yet. `degraded`: some binds are down, or the operator throttles. */
  status: z.enum(['off', 'connecting', 'connected', 'degraded', 'stopped']),
  binds: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['connecting', 'bound', 'closed', 'refused']),
      since: z.string(),
      inFlight: z.number(),
    }),
  ),
  /** Parts per second the lane may send now, and parts sent in the last second. */
  allowedPerSecond: z.number(),
  sentPerSecond: z.number(),
  /** The detected operator limit, if lower than the agreed rate. */
  operatorLimitPerSecond: z.number().optional(),
  queued: z.number(),
  lastError: z.object({ message: z.string(), code: z.string(), at: z.string() }).optional(),
  updatedAt: z.string().optional(),
})
export type LaneState = z.infer<typeof LaneState>

/** How the operator writes ids and times, learned from delivery receipts. */
export const ReceiptFindings = z.object({
  /** Format of message ids in receipts compared with submit responses; absent until certain. */
  idFormat: z.enum(['same', 'decimal', 'hexadecimal']).optional(),
  idReceipts: z.number(),
  /** Receipts that contradict `idFormat`, and receipts with a known id but another phone number. */
  idConflicts: z.number(),
  otherNumbers: z.number(),
  /** Whether the receipts' time zone is unknown, as configured, different or inconsistent. */
  clock: z.enum(['unknown', 'as-set', 'differs', 'inconsistent']),
  /** UTC offset of the receipts, such as +05:30; absent until certain. */
  utcOffset: z.string().optional(),
  clockReceipts: z.number(),
})
export type ReceiptFindings = z.infer<typeof ReceiptFindings>

/** Counts of one hour, in the account's time zone. */
export const AccountHour = z.object({
  /** Start of the hour. */
  at: z.string(),
  submitted: z.number(),
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  unconfirmed: z.number(),
})
export type AccountHour = z.infer<typeof AccountHour>

/** A provider for the setup form: its settings as JSON Schema. */
export const ProviderForm = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  presets: z.array(z.object({ name: z.string(), label: z.string(), config: z.record(z.string(), z.unknown()) })),
})
export type ProviderForm = z.infer<typeof ProviderForm>

/** Result of a connection test; errors in the provider's words. */
export const ConnectionCheck = z.object({
  isConnected: z.boolean(),
  code: z.string().optional(),
  message: z.string().optional(),
})
export type ConnectionCheck = z.infer<typeof ConnectionCheck>

/** A provider account whose credentials are rejected. */
export const FailedConnection = z.object({
  _id: Id,
  name: z.string(),
  channel: Channel,
  /** The provider's error text. */
  detail: z.string(),
  failedAt: z.string(),
})
export type FailedConnection = z.infer<typeof FailedConnection>

export const senderEndpoints = defineEndpoints({
  'channels.get': {
    route: 'GET /api/v1/channels/get-channel-integrations',
    summary: 'Which channels the organisation has switched on',
    roles: anyRole,
    data: ChannelFlags,
    fallback: 'Failed to fetch channels',
  },
  'channels.update': {
    route: 'PUT /api/v1/channels/update-channel-integrations',
    summary: 'Switch channels on or off; omitted channels are unchanged',
    roles: ['user', 'manager'],
    body: ChannelFlags.partial(),
    data: ChannelFlags,
    fallback: 'Failed to fetch channels',
  },
  'channels.failedConnections': {
    route: 'GET /api/v1/channels/failed-connections',
    summary: 'Connections whose credentials the provider rejects, newest first; at most 50',
    roles: ['user', 'manager'],
    data: z.array(FailedConnection),
    fallback: 'Failed to fetch channels',
    addition: true,
  },
})
