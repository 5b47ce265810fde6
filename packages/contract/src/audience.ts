import { z } from 'zod'
import { Channel } from './channels.ts'
import { Id, IdPath, Name } from './common.ts'
import { defaultChannels } from './channels/table.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { maximumAudienceBytes, numbersBodyBytes } from './sizes.ts'

export const maximumAudienceRows = 1_000_000
/** Maximum number of typed corrections per audience. */
export const maximumCorrections = 200

export const AudienceStatus = z.enum(['reading', 'checking', 'ready', 'failed'])
export type AudienceStatus = z.infer<typeof AudienceStatus>

/** Why a row was rejected. */
export const RejectReason = z.enum([
  'empty',
  'not_a_number',
  'too_short',
  'too_long',
  'invalid_country',
  'impossible',
  'scientific_notation',
  'landline',
  'service_number',
  'duplicate',
  'opted_out',
])
export type RejectReason = z.infer<typeof RejectReason>

/** A corrected row. It can still be skipped as a duplicate. */
export const CorrectedRow = z.object({
  row: z.number(),
  /** The cell as in the file. */
  value: z.string(),
  phoneNumber: z.string(),
  /** True if the suggested number was used; absent if the number was typed. */
  automatic: z.boolean().optional(),
})
export type CorrectedRow = z.infer<typeof CorrectedRow>

/** The corrections to change. An empty number restores the row as in the file. */
const Corrections = z.object({
  /** Whether all suggested numbers are used. */
  automatic: z.boolean().optional(),
  rows: z
    .array(z.object({ row: z.number().int().min(1), phoneNumber: z.string().trim().max(60) }))
    .max(maximumCorrections)
    .default([]),
})
export type Corrections = z.infer<typeof Corrections>

export const AudienceMapping = z.object({
  phoneColumn: z.number().int().min(0).max(255),
  /** ISO 3166 two letters: the country of numbers without a country code. */
  defaultCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Choose a country')
    .default('IN'),
  /** The sheet of a workbook, by name. */
  sheet: z.string().max(200).optional(),
})
export type AudienceMapping = z.infer<typeof AudienceMapping>

/** The user's mapping. Without a column, it is detected by name and content; without a sheet, the first one with numbers is read. */
const AudienceChoice = AudienceMapping.partial({ phoneColumn: true })
export type AudienceChoice = z.infer<typeof AudienceChoice>

/**
 * A validated file or list of numbers. Once ready, `accepted + invalid + duplicate + suppressed` equals `total`. Opted-out people are accepted and
 * skipped by each campaign for its channel; `suppressed` counts them only in older audiences.
 */
export const Audience = z.object({
  _id: Id,
  status: AudienceStatus,
  fileName: z.string(),
  format: z.enum(['csv', 'xlsx', 'pasted']),
  columns: z.array(z.string()),
  /** The visible sheets of a workbook. */
  sheets: z.array(z.string()),
  /** Rows hidden in the workbook; they are read like all others. */
  hiddenRows: z.number(),
  /** The first rows of the file, unchanged. */
  sample: z.array(z.array(z.string())),
  mapping: AudienceMapping.optional(),
  /** Rows read so far, and the percentage of the file's bytes read so far. */
  processed: z.number(),
  percent: z.number(),
  total: z.number(),
  accepted: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  suppressed: z.number(),
  /** Some of the rejected rows in file order, correctable rows first. */
  sampleErrors: z.array(
    z.object({
      row: z.number(),
      value: z.string(),
      code: RejectReason,
      message: z.string(),
      /** The only number the cell can mean. */
      suggestion: z.string().optional(),
    }),
  ),
  /** Number of rejected rows with a suggestion. */
  fixable: z.number(),
  corrections: z.object({
    /** Whether suggested numbers are used. */
    automatic: z.boolean(),
    /** Rows whose suggested number was used. */
    automaticRows: z.number(),
    /** All rows with a typed number, and some of those with a used suggestion. */
    rows: z.array(CorrectedRow),
  }),
  hasRejects: z.boolean(),
  /** For each column, the number of people with an empty cell. Absent during validation, and for audiences of older versions. */
  emptyCells: z.array(z.number()).optional(),
  /** Its name, if saved. */
  savedAs: z.string().optional(),
  error: z.string().optional(),
  createdAt: z.string(),
})
export type Audience = z.infer<typeof Audience>

/** An accepted recipient. */
export const Recipient = z.object({
  seq: z.number(),
  /** Number of accepted rows. */
  total: z.number(),
  phoneNumber: z.string(),
  /** The cells of the row, in column order. */
  values: z.array(z.string()),
})
export type Recipient = z.infer<typeof Recipient>

/** A row of the file, with the reason if it was rejected. */
export const AudienceFileRow = z.object({
  row: z.number(),
  values: z.array(z.string()),
  problem: z.string().optional(),
})
export type AudienceFileRow = z.infer<typeof AudienceFileRow>

/** Number of file rows in a preview. */
export const previewedRows = 100

/** An audience saved under a name for reuse. */
export const SavedAudience = z.object({
  _id: Id,
  name: z.string(),
  channel: Channel,
  fileName: z.string(),
  people: z.number(),
  columns: z.array(z.string()),
  createdAt: z.string(),
  /** Campaigns past their draft that use it. */
  usedBy: z.number(),
})
export type SavedAudience = z.infer<typeof SavedAudience>

export const RecipientPath = IdPath.extend({ seq: z.coerce.number().int().min(0).max(maximumAudienceRows) })

const audienceRoles = ['user', 'manager', 'department_head'] as const

export const audienceEndpoints = defineEndpoints({
  'audience.create': {
    route: 'POST /api/audiences',
    summary: 'Upload a CSV or XLSX file, or paste numbers; validation starts immediately',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:write',
    body: z.object({
      numbers: z.string().max(2_000_000).optional(),
      defaultCountry: AudienceMapping.shape.defaultCountry,
      /** For channels that do not reach them, landlines and service numbers are rejected. */
      channel: Channel.default(defaultChannels.audience),
    }),
    files: { file: { maximumBytes: maximumAudienceBytes, optional: true } },
    maximumBodyBytes: numbersBodyBytes,
    data: Audience,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'audience.get': {
    route: 'GET /api/audiences/{id}',
    summary: 'Validation progress and results',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:read',
    path: IdPath,
    data: Audience,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'audience.recipient': {
    route: 'GET /api/audiences/{id}/recipients/{seq}',
    summary: 'One accepted recipient, by position',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:read',
    path: RecipientPath,
    data: Recipient,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'audience.map': {
    route: 'PUT /api/audiences/{id}/mapping',
    summary: 'Set the phone number column and default country, and validate again',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:write',
    path: IdPath,
    body: AudienceChoice,
    data: Audience,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'audience.correct': {
    route: 'POST /api/audiences/{id}/corrections',
    summary: 'Correct numbers of rejected rows, or undo corrections, and validate again',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:write',
    path: IdPath,
    body: Corrections,
    data: Audience,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'audience.rejects': {
    route: 'GET /api/audiences/{id}/rejects',
    summary: 'The rejected rows with reason and suggestion, as CSV',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:read',
    path: IdPath,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
  'audience.rows': {
    route: 'GET /api/audiences/{id}/rows',
    summary: 'The first hundred rows of the file, with the reason for each rejected row',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:read',
    path: IdPath,
    data: z.object({ rows: z.array(AudienceFileRow) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'savedAudiences.list': {
    route: 'GET /api/saved-audiences',
    summary: 'Saved audiences, newest first',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:read',
    query: PageQuery.extend({
      search: z.string().trim().max(80).optional(),
      /** Excludes audiences validated for another channel, which may contain numbers this channel cannot reach. */
      channel: Channel.optional(),
    }),
    data: z.object({
      audiences: z.array(SavedAudience),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'savedAudiences.save': {
    route: 'PUT /api/saved-audiences/{id}',
    summary: 'Save an audience under a name, or rename a saved one',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:write',
    path: IdPath,
    body: z.object({ name: Name }),
    data: Audience,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'savedAudiences.remove': {
    route: 'DELETE /api/saved-audiences/{id}',
    summary: 'Delete a saved audience; campaigns keep their recipients',
    roles: audienceRoles,
    module: 'campaign',
    scope: 'contacts:write',
    path: IdPath,
    data: z.object({}),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
})
