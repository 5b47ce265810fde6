import { z } from 'zod'
import { Recipient, RecipientPath } from './audience.ts'
import { Campaign, CampaignStatus, FailureClass, MessagePiece } from './campaign-records.ts'
import { Channel } from './channels.ts'
import { Id, IdPath, PhoneNumber, Rupees } from './common.ts'
import { CampaignDraft } from './draft-legs.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'

/** The fields of a saved draft besides its content. */
export const SavedState = z.object({
  _id: Id,
  status: CampaignStatus,
  savedAt: z.string(),
  /** Changes with every change of the content to send. A start can require the reviewed version. */
  version: z.string(),
})

/** A saved draft as loaded by the wizard. */
export const SavedDraft = CampaignDraft.extend(SavedState.shape)
export type SavedDraft = z.infer<typeof SavedDraft>

/** The version the change is based on. A different stored version is a conflict; absent: no check. */
export const Changed = z.object({ version: z.string().max(64).optional() })

/** Recipients and cost of one country. */
export const CountryPrice = z.object({
  /** ISO 3166 two letters; 001 for numbers without a country. */
  country: z.string(),
  people: z.number(),
  parts: z.number(),
  /** Per part or message; null if there is no price. */
  price: Rupees.nullable(),
  cost: Rupees,
})
export type CountryPrice = z.infer<typeof CountryPrice>

/** What a leg is expected to do, as planned for all its recipients. */
export const ExpectedLeg = z.object({
  /** Position of the leg in the draft. */
  leg: z.number().int(),
  /** Recipients who begin with this leg. */
  starters: z.number().int(),
  /** People who are sent it: starters, and those who fail over to it. */
  expectedPeople: z.number(),
  expectedDelivered: z.number(),
  expectedCost: Rupees,
  /**
   * `history`: the results of messages of the last 30 days. `reach`: everyone who can be reached, as checked, gets it.
   * `assumed`: everyone gets it.
   */
  basis: z.enum(['reach', 'history', 'assumed']),
})

/** Between which amounts the campaign's cost lies. */
const CostRange = z.object({
  /** The cost if no message is accepted: always 0, because a refused message is not charged on any leg. */
  minimum: Rupees,
  /** If every recipient gets exactly one message: by the cheapest path, and by the most expensive one. */
  reachedFrom: Rupees,
  reachedTo: Rupees,
  expected: Rupees,
  /** The hold: every recipient is charged on every leg. */
  maximum: Rupees,
})
/** What the review of a campaign shows, and its report compares with the results. */
export const ExpectedSplit = z.object({
  /** Every enabled leg in order. */
  legs: z.array(ExpectedLeg),
  range: CostRange,
  /** Recipients who get no message: opted out, without a value, held out, or not reachable over any leg. */
  excluded: z.number().int(),
  /** Recipients who get the winner of the test. Cost and expected results assume the first variant for them. */
  rest: z.number().int().default(0),
})
export type ExpectedSplit = z.infer<typeof ExpectedSplit>

/** Cost of the whole send, counted over every row of the first leg. */
export const Estimate = z.object({
  people: z.number(),
  parts: z.number(),
  /** Price for the country of most recipients. */
  pricePerPart: Rupees.nullable(),
  rateAsOf: z.string().nullable(),
  /** The maximum cost of all legs. */
  cost: Rupees,
  range: ExpectedSplit.shape.range,
  excluded: ExpectedSplit.shape.excluded,
  rest: z.number().int(),
  /** Recipients in `excluded` who are held out of the test. */
  heldOut: z.number().int(),
  /** Price of the first leg per country. */
  prices: z.array(CountryPrice),
  /** Every enabled leg in order, with the cost if all its recipients get it. */
  legs: z.array(
    ExpectedLeg.extend({
      channel: Channel,
      senderName: z.string(),
      templateName: z.string(),
      pricePerPart: Rupees.nullable(),
      cost: Rupees,
      prices: z.array(CountryPrice),
    }),
  ),
  /** People who can still be messaged first today; null: no limit. */
  limitLeft: z.number().nullable(),
  balance: Rupees,
  balanceAfter: Rupees,
  /** Missing balance; 0 if the balance is sufficient. */
  shortfall: Rupees,
  multipart: z.number(),
  unicode: z.number(),
  missing: z.number(),
  /** Recipients in `people` who opted out of the channel; skipped at no cost. */
  optedOut: z.number(),
  tooLong: z.number(),
  /** Rows with a cell that does not match its format; treated as empty. */
  unreadable: z.number(),
  unreadableSeqs: z.array(z.number()),
  /** Rows to highlight in the preview, by `seq`. */
  longestSeq: z.number().nullable(),
  cheapestSeq: z.number().nullable(),
  multipartSeqs: z.array(z.number()),
  missingSeqs: z.array(z.number()),
  unicodeSeqs: z.array(z.number()),
  tooLongSeqs: z.array(z.number()),
  /** Estimated duration at the account's rate, in seconds. */
  durationSeconds: z.number(),
  /** Estimated start and end, with the send window applied. */
  beginsAt: z.string(),
  endsAt: z.string(),
  checks: z.array(
    z.object({
      id: z.string(),
      level: z.enum(['pass', 'advice', 'blocker']),
      title: z.string(),
      detail: z.string(),
    }),
  ),
})
export type Estimate = z.infer<typeof Estimate>

/** How many recipients of an audience one leg's sender can reach. */
export const LegReach = z.object({
  /** Position of the leg in the draft. */
  leg: z.number().int(),
  channel: Channel,
  /** `none`: not checked yet. `unsupported`: its provider cannot tell. `failed`: some numbers got no answer. */
  status: z.enum(['none', 'checking', 'done', 'unsupported', 'failed']),
  /** The provider's error text. */
  detail: z.string().optional(),
  /** Recipients, those checked so far, and those of them who can be reached. */
  people: z.number(),
  checked: z.number(),
  reachable: z.number(),
  /** Estimated further recipients who use the channel with operators where the sender is not launched. */
  notLaunched: z.number(),
  /** The oldest answer. */
  checkedAt: z.string().nullable(),
})
export type LegReach = z.infer<typeof LegReach>

/** Why a recipient gets no message, as known before sending. */
export const ExclusionReason = FailureClass.extract(['opted_out', 'number_unreachable', 'missing_variable', 'held_out'])
export type ExclusionReason = z.infer<typeof ExclusionReason>

/** A recipient counted by a number of the estimate. */
export const DraftRecipient = Recipient.omit({ total: true }).extend({
  /** The last message that was considered for a recipient who gets none. */
  excluded: z
    .object({
      /** Position of the leg in the draft. */
      leg: z.number().int(),
      channel: Channel,
      reason: ExclusionReason,
    })
    .optional(),
})
export type DraftRecipient = z.infer<typeof DraftRecipient>

export const DraftRecipientQuery = z.object({
  /**
   * `leg`: those who begin with this leg (`starters` of the estimate). `rest`: those who get the winner of the test. `excluded`: those
   * who get no message.
   */
  group: z.enum(['leg', 'rest', 'excluded']),
  /** Position of the leg in the draft. */
  leg: z.coerce.number().int().min(0).max(99).optional(),
  /** Recipients after this `seq`. */
  after: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  limit: PageQuery.shape.limit,
  /** Numbers that equal or begin with these digits. */
  number: z.string().max(20).optional(),
})
export type DraftRecipientQuery = z.infer<typeof DraftRecipientQuery>

export const DraftRecipients = z.object({
  /** In the order of the file. May be fewer than the limit before the end if a number is searched for. */
  recipients: z.array(DraftRecipient),
  /** `after` of the next page; null: this is the last one. */
  next: z.number().int().nullable(),
  /** Recipients of the group, whatever number is searched for. Later pages refer to the same count as the first. */
  total: z.number().int(),
})
export type DraftRecipients = z.infer<typeof DraftRecipients>

export const RecipientPreview = Recipient.extend({
  /** The template's pieces with the values of this row. */
  pieces: z.array(MessagePiece),
  text: z.string(),
  /** Only where messages are divided into parts. */
  encoding: z.enum(['gsm7', 'ucs2']).optional(),
  parts: z.number(),
  cost: Rupees,
})
export type RecipientPreview = z.infer<typeof RecipientPreview>

const required = { id: 'Campaign ID is required', campaignId: 'Campaign ID is required' }
const starters = ['user', 'manager'] as const
const creators = ['user', 'manager', 'department_head'] as const

/** Calls of the campaign wizard, the same for every channel. */
export const draftEndpoints = defineEndpoints({
  'drafts.create': {
    route: 'POST /api/v1/campaign-drafts',
    summary: 'Create a draft; who may create it depends on the channel of its first leg',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    body: CampaignDraft,
    onLowDisk: 'refuse',
    data: SavedDraft,
    fallback: 'Failed to create campaign',
    addition: true,
  },
  'drafts.get': {
    route: 'GET /api/v1/campaign-drafts/{id}',
    summary: 'The draft as last saved',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: SavedDraft,
    fallback: 'Failed to fetch campaigns',
    required,
    addition: true,
  },
  'drafts.save': {
    route: 'PUT /api/v1/campaign-drafts/{id}',
    summary: 'Save a draft; a campaign that was ready becomes a draft again',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    query: Changed,
    body: CampaignDraft,
    data: SavedDraft,
    fallback: 'Failed to create campaign',
    required,
    addition: true,
  },
  'drafts.estimate': {
    route: 'GET /api/v1/campaign-drafts/{id}/estimate',
    summary: 'Cost, balance and every check, over all rows of the audience',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: Estimate,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.recipients': {
    route: 'GET /api/v1/campaign-drafts/{id}/recipients',
    summary: 'The recipients who begin with a leg of a draft, or who get no message, each with the reason',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    query: DraftRecipientQuery,
    data: DraftRecipients,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.preview': {
    route: 'GET /api/v1/campaign-drafts/{id}/recipients/{seq}',
    summary: 'Preview the message for one recipient',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:read',
    path: RecipientPath,
    data: RecipientPreview,
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.reach': {
    route: 'GET /api/v1/campaign-drafts/{id}/reach',
    summary: 'How many recipients the senders of a draft can reach; only legs of channels that can tell before sending',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:read',
    path: IdPath,
    data: z.object({ legs: z.array(LegReach) }),
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.checkReach': {
    route: 'POST /api/v1/campaign-drafts/{id}/reach',
    summary:
      'Check who can be reached, in the background; answers of the last 24 hours are kept, unless asked to check again',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    query: z.object({ again: z.enum(['true', 'false']).optional() }),
    data: z.object({ legs: z.array(LegReach) }),
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.test': {
    route: 'POST /api/v1/campaign-drafts/{id}/test',
    summary: 'Send one recipient’s message to the caller’s number as a charged test',
    roles: starters,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    body: z.object({
      phoneNumber: PhoneNumber,
      seq: z.number().int().min(0),
      /** Position of the message in the draft; variants of a test have positions from 10 on. */
      leg: z.number().int().min(0).max(99).default(0),
    }),
    data: z.object({ messageId: Id, parts: z.number(), cost: Rupees }),
    fallback: 'An unexpected error occurred',
    required,
    addition: true,
  },
  'drafts.validate': {
    route: 'POST /api/v1/campaign-drafts/{id}/validate',
    summary: 'Freeze the draft, run every check and compute the cost. It becomes ready, or fails with a reason',
    roles: creators,
    module: 'campaign',
    scope: 'campaigns:write',
    path: IdPath,
    onLowDisk: 'refuse',
    data: Campaign,
    fallback: 'Validation error occurred',
    required,
    addition: true,
  },
})
