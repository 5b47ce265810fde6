import { z } from 'zod'
import { BillingDetails } from './billing-details.ts'
import { Channel } from './channels.ts'
import { Day, Id, IdPath, Name, Nothing, Rupees } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { anyRole } from './roles.ts'

export const amountNeeded = 'Please enter a valid balance amount'

/** Rupees in a transfer: whole paise, at least one, within the exact range of a number. */
export const Amount = z
  .number(amountNeeded)
  .refine((amount) => amount >= 0.01, amountNeeded)
  .refine((amount) => amount <= 1e9, 'At most ₹1,00,00,00,000 can be moved at once')
  .refine((amount) => Number(amount.toFixed(2)) === amount, 'Enter at most two decimals')

const Note = z.string().trim().max(200).default('')

/** Balances after a transfer, in rupees: the other account's and the caller's. */
export const Moved = z.object({ userId: Id, balance: Rupees, ownBalance: Rupees })
export type Moved = z.infer<typeof Moved>

/** `pending` until the account above decides; `approved`: the balance was moved. */
export const TopUpStatus = z.enum(['pending', 'approved', 'rejected', 'cancelled'])
export type TopUpStatus = z.infer<typeof TopUpStatus>

export const TopUpRequest = z.object({
  _id: Id,
  userId: Id,
  username: z.string(),
  name: z.string(),
  requestedBalance: Rupees,
  /** Approved amount, which can differ from the requested one. */
  approvedBalance: Rupees.optional(),
  status: TopUpStatus,
  /** False: it uses its organisation's balance, and gets a separate one on approval. */
  hasOwnBalance: z.boolean(),
  note: z.string(),
  answer: z.string().optional(),
  answeredBy: z.string().optional(),
  createdAt: z.string(),
  answeredAt: z.string().optional(),
})
export type TopUpRequest = z.infer<typeof TopUpRequest>

/** `margin`: a reseller's earnings on messages of accounts below. `usage`: cost of messages. */
export const StatementKind = z.enum(['topup', 'transfer_in', 'transfer_out', 'usage', 'refund', 'margin', 'adjustment'])
export type StatementKind = z.infer<typeof StatementKind>

/** Labels of statement kinds on screens, in PDFs and in files. */
export const statementKindNames: Record<StatementKind, string> = {
  topup: 'Top-up',
  transfer_in: 'Transfer in',
  transfer_out: 'Transfer out',
  usage: 'Messages',
  refund: 'Refund',
  margin: 'Margin',
  adjustment: 'Adjustment',
}

export const StatementEntry = z.object({
  _id: Id,
  at: z.string(),
  kind: StatementKind,
  /** Text such as the campaign's name, or the other account of a transfer. */
  description: z.string(),
  campaignId: Id.optional(),
  /** Signed: credits are positive. */
  amount: Rupees,
  /** Balance after this entry. */
  balance: Rupees,
})
export type StatementEntry = z.infer<typeof StatementEntry>

const statementQuery = z.object({
  userId: Id.optional(),
  from: Day.optional(),
  to: Day.optional(),
  kind: StatementKind.optional(),
})

export const Invoice = z.object({
  _id: Id,
  number: z.string(),
  /** First day of its month. */
  month: z.string(),
  userId: Id,
  billedTo: z.string(),
  subtotal: Rupees,
  tax: Rupees,
  total: Rupees,
  issuedAt: z.string(),
  /** Invoice date, in the time zone of the billed account. */
  issuedOn: z.string(),
})
export type Invoice = z.infer<typeof Invoice>

export const CardRate = z.object({
  channel: Channel,
  /** `*`: every category. */
  category: z.string().max(40).default('*'),
  /** ISO 3166 two letters, or `*`: every other country. */
  country: z
    .string()
    .regex(/^(?:[A-Z]{2}|\*)$/, 'Two letters, or *')
    .default('*'),
  price: Rupees.min(0).max(10_000),
  billableOn: z.enum(['sent', 'delivered']).default('sent'),
})
export type CardRate = z.infer<typeof CardRate>

/** Prices of an account and all accounts below it from a given day. Never changed; a later card replaces it. */
export const RateCard = z.object({
  _id: Id,
  userId: Id,
  name: z.string(),
  validFrom: z.string(),
  /** The markup on the prices above, if the card was created from one. */
  markup: z.object({ type: z.enum(['percent', 'fixed']), value: z.number() }).optional(),
  rates: z.array(CardRate),
  createdAt: z.string(),
})
export type RateCard = z.infer<typeof RateCard>

const moveBody = z.strictObject({ userId: Id, amount: Amount, note: Note })

export const billingEndpoints = defineEndpoints({
  'balance.add': {
    route: 'POST /api/balance/add-balance',
    summary: 'Move balance from the caller’s account to one below; an admin issues it',
    roles: anyRole,
    body: moveBody,
    data: Moved,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'balance.deduct': {
    route: 'POST /api/balance/deduct-balance',
    summary: 'Move balance back from an account below, up to its available amount',
    roles: ['admin', 'reseller', 'manager'],
    body: moveBody,
    data: Moved,
    fallback: 'An unexpected error occurred',
    impersonation: false,
  },
  'balance.transfer': {
    route: 'POST /api/balance/transfer',
    summary: 'Move balance between two accounts below',
    roles: ['admin', 'reseller', 'manager'],
    body: z.strictObject({ fromUserId: Id, toUserId: Id, amount: Amount, note: Note }),
    data: z.object({ fromBalance: Rupees, toBalance: Rupees }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'balance.setOwn': {
    route: 'PUT /api/balance/own',
    summary: 'Give a user or department head a separate balance, or return it to the organisation’s',
    roles: ['manager'],
    body: z.strictObject({ userId: Id, ownBalance: z.boolean() }),
    data: Moved,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'balance.request': {
    route: 'POST /api/balance/requestBalance',
    summary: 'Request balance from the account above',
    roles: anyRole,
    body: z.object({ requestedBalance: Amount, note: Note }),
    data: TopUpRequest,
    fallback: 'Failed to request balance',
    impersonation: false,
  },
  'balance.resellerBalances': {
    route: 'GET /api/balance/reseller-balances',
    summary: 'The caller’s balance as the first entry of a list',
    roles: anyRole,
    data: z.object({ balances: z.array(z.object({ balance: Rupees })) }),
    top: true,
    fallback: 'Failed to fetch balance.',
  },
  'balance.overview': {
    route: 'GET /api/balance/overview',
    summary: 'Balance, spend of the last days and how long the balance lasts at that pace',
    roles: anyRole,
    scope: 'balance:read',
    query: z.object({ userId: Id.optional(), days: z.coerce.number().int().min(7).max(90).default(30) }),
    data: z.object({
      balance: Rupees,
      held: Rupees,
      /** False if the balance is the organisation's. */
      isOwn: z.boolean(),
      spent: Rupees,
      perDay: Rupees,
      /** Days left at the average of the last seven days (for resellers: of their customers). Absent if nothing was spent. */
      runwayDays: z.number().optional(),
      daily: z.array(z.object({ day: z.string(), spent: Rupees, balance: Rupees })),
      byChannel: z.array(z.object({ channel: Channel, spent: Rupees })),
      topCampaigns: z.array(
        z.object({
          campaignId: Id,
          campaignName: z.string(),
          channel: Channel,
          units: z.number(),
          /** Unit price, if all units had the same. */
          price: Rupees.optional(),
          spent: Rupees,
          at: z.string(),
        }),
      ),
      /** Total available balance of the accounts below. */
      allocated: Rupees,
    }),
    fallback: 'Failed to fetch balance.',
    addition: true,
  },
  'topUps.list': {
    route: 'GET /api/balance/requests',
    summary: 'Top-up requests: the caller’s own, or pending ones of accounts below',
    roles: anyRole,
    query: PageQuery.extend({
      box: z.enum(['mine', 'incoming']).default('mine'),
      status: TopUpStatus.optional(),
    }),
    data: z.object({
      requests: z.array(TopUpRequest),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch balance.',
    addition: true,
  },
  'topUps.answer': {
    route: 'POST /api/balance/requests/{id}/answer',
    summary: 'Approve a top-up request and move the balance, or reject it. Only the first decision takes effect',
    roles: ['admin', 'reseller', 'manager'],
    path: IdPath,
    body: z.strictObject({ approve: z.boolean(), amount: Amount.optional(), note: Note }),
    data: TopUpRequest,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'topUps.cancel': {
    route: 'POST /api/balance/requests/{id}/cancel',
    summary: 'Withdraw the caller’s top-up request',
    roles: anyRole,
    path: IdPath,
    data: TopUpRequest,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'statement.list': {
    route: 'GET /api/balance/statement',
    summary: 'Every movement of a balance with the balance after it, newest first, in whole paise',
    roles: anyRole,
    scope: 'balance:read',
    query: PageQuery.extend(statementQuery.shape),
    data: z.object({
      entries: z.array(StatementEntry),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
      opening: Rupees,
      closing: Rupees,
      moneyIn: Rupees,
      moneyOut: Rupees,
      /** Part of the closing balance reserved for campaigns, if the statement ends now. */
      held: Rupees.optional(),
      /** Closing balance minus `held`. */
      available: Rupees.optional(),
      /** Tax of the period's invoices. Billed in addition to usage, not deducted from the balance. */
      taxes: z.array(z.object({ number: z.string(), month: z.string(), tax: Rupees })),
    }),
    fallback: 'Failed to fetch balance.',
    addition: true,
  },
  'statement.csv': {
    route: 'GET /api/balance/statement/csv',
    summary: 'The statement as CSV',
    roles: anyRole,
    scope: 'balance:read',
    query: statementQuery,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
  'statement.pdf': {
    route: 'GET /api/balance/statement/pdf',
    summary: 'The statement as PDF',
    roles: anyRole,
    scope: 'balance:read',
    query: statementQuery,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
  'invoices.list': {
    route: 'GET /api/balance/invoices',
    summary: 'Month-end invoices to an account; with userId, to one below',
    roles: ['admin', 'reseller', 'manager'],
    query: PageQuery.extend({ userId: Id.optional(), box: z.enum(['received', 'issued']).default('received') }),
    data: z.object({
      invoices: z.array(Invoice),
      total: z.number(),
      totalPages: z.number(),
      currentPage: z.number(),
    }),
    fallback: 'Failed to fetch balance.',
    addition: true,
  },
  'invoices.pdf': {
    route: 'GET /api/balance/invoices/{id}/pdf',
    summary: 'An invoice as PDF',
    roles: ['admin', 'reseller', 'manager'],
    path: IdPath,
    data: 'file',
    fallback: 'Failed to download report',
    addition: true,
  },
  'billingDetails.get': {
    route: 'GET /api/balance/billing-details',
    summary: 'The caller’s billing details',
    roles: ['admin', 'reseller', 'manager'],
    data: BillingDetails,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'billingDetails.set': {
    route: 'PUT /api/balance/billing-details',
    summary: 'Update the caller’s billing details',
    roles: ['admin', 'reseller', 'manager'],
    body: BillingDetails,
    data: BillingDetails,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'rateCards.list': {
    route: 'GET /api/balance/rate-cards',
    summary: 'The rate cards of an account, newest first; its own when no userId is given',
    roles: ['admin', 'reseller', 'manager'],
    query: z.object({ userId: Id.optional() }),
    data: z.object({ rateCards: z.array(RateCard) }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'rateCards.create': {
    route: 'POST /api/balance/rate-cards',
    summary: 'Set prices for an account below from a given day: individually, or as a markup on the caller’s',
    roles: ['admin', 'reseller'],
    body: z.strictObject({
      /** For an admin also their own account: the base prices of the installation. */
      userId: Id,
      name: Name,
      validFrom: Day.optional(),
      rates: z.array(CardRate).max(500).optional(),
      markup: z.object({ type: z.enum(['percent', 'fixed']), value: z.number().min(0).max(1000) }).optional(),
    }),
    data: RateCard,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'rateCards.remove': {
    route: 'DELETE /api/balance/rate-cards/{id}',
    summary: 'Remove a rate card that has not taken effect',
    roles: ['admin', 'reseller'],
    path: IdPath,
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
})
