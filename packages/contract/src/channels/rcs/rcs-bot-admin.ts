import { z } from 'zod'
import { Id, IdPath } from '../../common.ts'
import { defineEndpoints } from '../../endpoint.ts'
import { PageQuery } from '../../paging.ts'
import { ProviderForm } from '../../senders.ts'
import { BotDetailsChange, PartialBotDetails } from './rcs-bot-details.ts'
import { BotId, BotLaunch, BotState, BotVerification, RcsBot } from './rcs-bots.ts'

/** An operator with which a bot can be launched. */
export const BotRegion = z.object({
  id: z.string(),
  name: z.string(),
  /** As in the launches of a bot. */
  country: z.string(),
  carrier: z.string(),
  /** Google reviews the launch; otherwise the operator does. */
  isGoogleManaged: z.boolean(),
})
export type BotRegion = z.infer<typeof BotRegion>

const BotSettings = {
  /** The provider's settings; secrets that are absent keep their stored value. */
  config: z.record(z.string(), z.unknown()).optional(),
  ratePerSecond: z.number().int().min(1).max(10_000).optional(),
}

/** A bot with the settings that only administrators see. */
export const AdminBot = RcsBot.extend({
  /** Null until it is created. */
  settings: z
    .object({
      /** The provider's settings without secrets; `secretsSet` lists the stored secrets. */
      config: z.record(z.string(), z.unknown()),
      secretsSet: z.array(z.string()),
      ratePerSecond: z.number(),
    })
    .nullable(),
})
export type AdminBot = z.infer<typeof AdminBot>

/** This installation's partner account with Google, without its secrets. */
export const RcsPartnerState = z.object({
  isSet: z.boolean(),
  clientEmail: z.string().nullable(),
  tokenUrl: z.string().nullable(),
  apiUrl: z.string().nullable(),
  managementUrl: z.string().nullable(),
  /** Bots that send with it. */
  bots: z.number(),
})
export type RcsPartnerState = z.infer<typeof RcsPartnerState>

const OptionalUrl = z.string().trim().max(300).default('')

export const RcsPartnerInput = z.object({
  /** The key file of the service account, as JSON text; empty keeps the stored one. */
  keyFile: z.string().max(20_000).default(''),
  /** Addresses other than Google's, for a proxy or the simulator; empty for Google's own. */
  apiUrl: OptionalUrl,
  managementUrl: OptionalUrl,
})
export type RcsPartnerInput = z.infer<typeof RcsPartnerInput>

const adminEndpoints = defineEndpoints({
  'bots.all': {
    route: 'GET /api/v1/admin/bots',
    summary: 'Bots and requests of all organisations; requests first, then newest first',
    roles: ['admin'],
    query: PageQuery.extend({
      state: z.union([BotState, z.enum(['', 'awaiting_launch'])]).default(''),
      search: z.string().trim().max(80).optional(),
    }),
    data: z.object({
      bots: z.array(RcsBot),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
      /** Of all organisations, whatever the filter. */
      requested: z.number(),
      awaitingLaunch: z.number(),
    }),
    fallback: 'Failed to fetch bots',
    addition: true,
  },
  'bots.get': {
    route: 'GET /api/v1/admin/bot/{id}',
    summary: 'One bot or request, with its settings',
    roles: ['admin'],
    path: IdPath,
    data: AdminBot,
    fallback: 'Failed to fetch bots',
  },
  'bots.create': {
    route: 'POST /api/v1/admin/create-rcs-bot',
    summary:
      'Create a bot for an organisation, from a request or from its details: at the partner’s management API, or with the id of a bot that exists',
    roles: ['admin'],
    body: z.object({
      /** The organisation; may be absent with a request. */
      organizationId: Id.optional(),
      requestId: Id.optional(),
      provider: z.string().min(1).max(60),
      /** The id of a bot that exists at the provider; absent: it is created there. */
      botId: BotId.optional(),
      details: PartialBotDetails.optional(),
      ...BotSettings,
    }),
    asksProvider: true,
    data: RcsBot,
    fallback: 'Failed to create the bot',
    impersonation: false,
  },
  'bots.update': {
    route: 'PUT /api/v1/admin/update-bot',
    summary: 'Change a bot; its brand is changed at the provider as well, if that can be managed from here',
    roles: ['admin'],
    body: z.object({
      id: Id,
      /** Null, or an empty text, removes a detail. */
      details: BotDetailsChange.optional(),
      /** Only for providers that cannot be asked. */
      verification: BotVerification.optional(),
      launches: z.array(BotLaunch).max(200).optional(),
      ...BotSettings,
    }),
    asksProvider: true,
    data: RcsBot,
    fallback: 'Failed to update the bot',
    impersonation: false,
  },
  'bots.reject': {
    route: 'POST /api/v1/admin/bots/{id}/reject',
    summary: 'Reject a request; the reason is shown to the customer',
    roles: ['admin'],
    path: IdPath,
    body: z.object({ reason: z.string().trim().min(1, 'Enter the reason').max(500) }),
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'bots.verify': {
    route: 'POST /api/v1/admin/bots/{id}/verification',
    summary: 'Request the verification of a bot from Google',
    roles: ['admin'],
    path: IdPath,
    asksProvider: true,
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'bots.launch': {
    route: 'POST /api/v1/admin/bots/{id}/launch',
    summary: 'Request the launch of a bot with operators',
    roles: ['admin'],
    path: IdPath,
    body: z.object({ regions: z.array(z.string().min(1).max(80)).min(1, 'Choose an operator').max(50) }),
    asksProvider: true,
    data: RcsBot,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'bots.regions': {
    route: 'GET /api/v1/admin/bots/regions',
    summary: 'The operators with which the partner’s bots can be launched',
    roles: ['admin'],
    asksProvider: true,
    data: z.array(BotRegion),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'bots.registerWebhook': {
    route: 'POST /api/v1/admin/bots/{id}/webhook',
    summary: 'Register the bot’s callback URL at its provider, and return the values to enter there by hand',
    roles: ['admin'],
    path: IdPath,
    asksProvider: true,
    data: z.object({
      isRegistered: z.boolean(),
      /** Why it was not registered. */
      problem: z.string().nullable(),
      callbackUrl: z.string(),
      clientToken: z.string().nullable(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
    answersSecret: true,
    impersonation: false,
  },
  'bots.providers': {
    route: 'GET /api/v1/admin/bots/providers',
    summary: 'The providers that carry RCS messages, with the form of each',
    roles: ['admin'],
    data: z.array(ProviderForm),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})

const partnerEndpoints = defineEndpoints({
  'rcsPartner.get': {
    route: 'GET /api/v1/admin/rcs-partner',
    summary: 'This installation’s partner account with Google, without its key',
    roles: ['admin'],
    data: RcsPartnerState,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'rcsPartner.set': {
    route: 'PUT /api/v1/admin/rcs-partner',
    summary: 'Set the service account that sends from all bots of the installation; stored encrypted',
    roles: ['admin'],
    body: RcsPartnerInput,
    data: RcsPartnerState,
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
  'rcsPartner.check': {
    route: 'POST /api/v1/admin/rcs-partner/check',
    summary: 'Test entered or stored settings: fetch a token and list the brands',
    roles: ['admin'],
    body: RcsPartnerInput,
    asksProvider: true,
    data: z.object({ isConnected: z.boolean(), message: z.string(), brands: z.array(z.string()) }),
    fallback: 'An unexpected error occurred',
    addition: true,
    impersonation: false,
  },
})

/** The calls of the administrator for RCS bots and the partner account. */
export const rcsBotAdminEndpoints = defineEndpoints({ ...adminEndpoints, ...partnerEndpoints })
