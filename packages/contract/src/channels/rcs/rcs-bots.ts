import { z } from 'zod'
import { Id, IdPath, Line, Nothing, PhoneNumber } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { anyRole } from '../../roles.ts'
import { LaneState } from '../../senders.ts'
import { megabyte } from '../../sizes.ts'
import { BotDetails, BotUseCase, PartialBotDetails } from './rcs-bot-details.ts'

export const BotVerification = z.enum(['unverified', 'pending', 'verified', 'rejected'])
export type BotVerification = z.infer<typeof BotVerification>

export const LaunchState = z.enum(['pending', 'launched', 'rejected', 'suspended', 'terminated'])
export type LaunchState = z.infer<typeof LaunchState>

/** Whether the phones of one operator receive the bot's messages. */
export const BotLaunch = z.object({
  /** Two-letter code; empty for operators of several countries. */
  country: z.union([z.literal(''), z.string().regex(/^[A-Z]{2}$/, 'Enter a two-letter country code')]),
  carrier: Line.min(1, 'Enter the operator').max(80),
  state: LaunchState,
  at: z.string().nullable(),
  /** The operator's comment, or the administrator's. */
  note: z.string().max(500).default(''),
})
export type BotLaunch = z.infer<typeof BotLaunch>

/** A phone that receives messages before the bot is launched. */
export const BotTester = z.object({
  phoneNumber: z.string(),
  state: z.enum(['pending', 'accepted', 'declined', 'unknown']),
  /** When it was invited here; null for one invited elsewhere. */
  invitedAt: z.string().nullable(),
})
export type BotTester = z.infer<typeof BotTester>

/** `requested`: waits for the administrator. `created`: it exists at its provider. */
export const BotState = z.enum(['requested', 'rejected', 'created'])
export type BotState = z.infer<typeof BotState>

/** A bot that can be chosen as sender. */
export const BotChoice = z.object({
  /** Our id, also of the sender in drafts. */
  _id: Id,
  /** The provider's id. */
  botId: z.string(),
  organizationId: Id,
  name: z.string(),
  brandName: z.string(),
  color: z.string(),
  logoUrl: z.string().nullable(),
  isActive: z.boolean(),
  verification: BotVerification,
  launches: z.array(BotLaunch),
  useCase: BotUseCase,
  provider: z.string(),
})
export type BotChoice = z.infer<typeof BotChoice>

/** A bot, or a request for one. */
export const RcsBot = BotChoice.extend({
  /** Null until it is created. */
  botId: z.string().nullable(),
  /** Null until it is created. */
  provider: z.string().nullable(),
  providerLabel: z.string().nullable(),
  organizationName: z.string(),
  state: BotState,
  /** Why the request was rejected. */
  reason: z.string().nullable(),
  requestedBy: z.string().nullable(),
  bannerUrl: z.string().nullable(),
  details: PartialBotDetails,
  testers: z.array(BotTester),
  lane: LaneState.nullable(),
  webhook: z.object({ isVerified: z.boolean(), verifiedAt: z.string().nullable(), callbackUrl: z.string() }).nullable(),
  /** Whether its provider can manage it from here; if not, the administrator enters what was decided. */
  isManaged: z.boolean(),
  /** Why the provider refuses it. */
  failure: z.string().nullable(),
  createdAt: z.string(),
  /** When its provider last described it. */
  checkedAt: z.string().nullable(),
})
export type RcsBot = z.infer<typeof RcsBot>

/** The provider's id of a bot. */
export const BotId = z.string().trim().min(1, 'Enter the bot id').max(200)

const askers = ['manager', 'user'] as const
const keepers = ['admin', 'manager', 'user'] as const
const watchers = ['manager', 'user', 'department_head'] as const

const requestEndpoints = defineEndpoints({
  'bots.own': {
    route: 'GET /api/v1/bots',
    summary: 'The organisation’s RCS bots and its requests for bots, newest first',
    roles: watchers,
    data: z.array(RcsBot),
    fallback: 'Failed to fetch bots',
    addition: true,
  },
  'bots.request': {
    route: 'POST /api/v1/bot-requests',
    summary: 'Ask the administrator for a bot; with the id of a request, change it and submit it again',
    roles: askers,
    body: z.object({ id: Id.optional(), details: BotDetails }),
    data: RcsBot,
    fallback: 'Failed to request the bot',
    addition: true,
  },
  'bots.withdraw': {
    route: 'DELETE /api/v1/bot-requests/{id}',
    summary: 'Withdraw a request that is not answered, or remove one that was rejected',
    roles: askers,
    path: IdPath,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'bots.uploadAsset': {
    route: 'POST /api/v1/bot-assets',
    summary: 'Store the logo or banner of a bot; its URL is public, because phones and Google load it',
    roles: keepers,
    body: z.object({ kind: z.enum(['logo', 'banner']) }),
    files: { file: { maximumBytes: megabyte } },
    data: z.object({ fileId: Id, url: z.string() }),
    fallback: 'Failed to upload the image',
    addition: true,
  },
  'bots.asset': {
    route: 'GET /api/v1/bot-assets/{id}',
    summary: 'The logo or banner of a bot',
    roles: 'public',
    path: IdPath,
    data: 'file',
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})

const useEndpoints = defineEndpoints({
  'bots.list': {
    route: 'GET /api/v1/bots/botIds',
    summary:
      'Bots that can be chosen as sender, by name; for admins and resellers those of all organisations below. At most 200: search for others',
    roles: anyRole,
    scope: 'campaigns:read',
    query: z.object({ search: z.string().trim().max(80).optional(), organizationId: Id.optional() }),
    data: z.array(BotChoice),
    fallback: 'Failed to fetch bots',
  },
  'bots.setStatus': {
    route: 'PUT /api/v1/bots/botStatus',
    summary: 'Switch a bot on or off; off stops sending immediately',
    roles: keepers,
    body: z.object({ botId: BotId, botStatus: z.enum(['active', 'inactive']) }),
    data: RcsBot,
    fallback: 'Failed to update the bot',
  },
  'bots.sync': {
    route: 'POST /api/v1/bots/{id}/sync',
    summary: 'Read verification, launches and testers from the provider now instead of hourly',
    roles: keepers,
    path: IdPath,
    asksProvider: true,
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'bots.addTester': {
    route: 'POST /api/v1/bots/{id}/testers',
    summary: 'Invite a phone to receive messages before the launch: 20 a day, 200 in all',
    roles: keepers,
    path: IdPath,
    body: z.object({ phoneNumber: PhoneNumber }),
    asksProvider: true,
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'bots.removeTester': {
    route: 'DELETE /api/v1/bots/{id}/testers/{number}',
    summary: 'Remove a tester; one who declined can be invited again after that',
    roles: keepers,
    path: IdPath.extend({ number: PhoneNumber }),
    asksProvider: true,
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'bots.test': {
    route: 'POST /api/v1/bots/{id}/test',
    summary: 'Send one text through the bot and charge it; before the launch it reaches testers only',
    roles: askers,
    path: IdPath,
    body: z.object({ phoneNumber: PhoneNumber, text: z.string().trim().min(1, 'Enter the message').max(3072) }),
    data: z.object({ messageId: Id }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})

/** The calls for RCS bots. Customers request bots; the administrator creates them. */
export const rcsBotEndpoints = defineEndpoints({
  ...useEndpoints,
  ...requestEndpoints,
})
