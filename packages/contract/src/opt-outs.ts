import { z } from 'zod'
import { AudienceMapping } from './audience.ts'
import { Channel } from './channels.ts'
import { channelTraits, optOutScopes } from './channels/table.ts'
import { Id, Instant, PhoneNumber } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { megabyte, numbersBodyBytes } from './sizes.ts'

/** Scope of an opt-out: all messages of a channel, or only its marketing. */
export const OptOutScope = z.enum(optOutScopes.map(({ scope }) => scope))
export type OptOutScope = z.infer<typeof OptOutScope>

const OptOutChannel = Channel.refine(
  (channel) => channelTraits[channel].optOutScopes.length > 0,
  'This channel has no opt-outs',
)

/** Origin: keyword in a reply, a setting of the channel's own app, entered manually, or imported list. */
export const OptOutSource = z.enum(['reply', 'app', 'manual', 'import'])
export type OptOutSource = z.infer<typeof OptOutSource>

export const OptOut = z.object({
  phoneNumber: z.string(),
  scope: OptOutScope,
  source: OptOutSource,
  /** The reply text. */
  keyword: z.string().optional(),
  /** The campaign replied to, if it is in the caller's scope. */
  campaign: z.object({ _id: Id, name: z.string() }).optional(),
  /** Who added it. */
  addedBy: z.string().optional(),
  at: Instant,
})
export type OptOut = z.infer<typeof OptOut>

/** Result of an import; the four counts add up to its rows. */
export const OptOutResult = z.object({
  added: z.number(),
  already: z.number(),
  duplicate: z.number(),
  invalid: z.number(),
  sampleErrors: z.array(z.object({ row: z.number(), value: z.string(), message: z.string() })),
})
export type OptOutResult = z.infer<typeof OptOutResult>

export const maximumOptOutRows = 200_000
export const maximumOptOutBytes = 10 * megabyte

const OptOutFilter = z.object({
  scope: OptOutScope.optional(),
  source: OptOutSource.optional(),
  /** Digits of the number. */
  number: z.string().trim().max(20).optional(),
})

const optOutRoles = ['user', 'manager'] as const

export const optOutEndpoints = defineEndpoints({
  'optOuts.list': {
    route: 'GET /api/opt-outs',
    summary: 'People of the organisation who opted out, newest first',
    roles: optOutRoles,
    module: 'campaign',
    scope: 'contacts:read',
    query: PageQuery.extend(OptOutFilter.shape),
    data: z.object({ optOuts: z.array(OptOut), total: z.number(), totalPages: z.number(), currentPage: z.number() }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'optOuts.csv': {
    route: 'GET /api/opt-outs/csv',
    summary: 'The same people as CSV',
    roles: optOutRoles,
    module: 'campaign',
    scope: 'contacts:read',
    query: OptOutFilter,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
  'optOuts.add': {
    route: 'POST /api/opt-outs',
    summary: 'Opt out one number, a pasted list, or the numbers of a CSV or XLSX file',
    roles: optOutRoles,
    module: 'campaign',
    scope: 'contacts:write',
    body: z.object({
      scope: OptOutScope,
      numbers: z.string().max(2_000_000).optional(),
      defaultCountry: AudienceMapping.shape.defaultCountry,
    }),
    files: { file: { maximumBytes: maximumOptOutBytes, optional: true } },
    maximumBodyBytes: numbersBodyBytes,
    data: OptOutResult,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'optOuts.remove': {
    route: 'DELETE /api/opt-outs/{channel}/{number}',
    summary: 'Remove an opt-out after new consent; recorded in the audit log',
    roles: optOutRoles,
    module: 'campaign',
    scope: 'contacts:write',
    path: z.object({ channel: OptOutChannel, number: PhoneNumber }),
    data: z.object({}),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
