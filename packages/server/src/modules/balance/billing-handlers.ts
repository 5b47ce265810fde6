import type { billingEndpoints } from '@carillon/contract/billing'
import type { marginEndpoints } from '@carillon/contract/margin'
import type { Handlers } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { getBillingDetails, setBillingDetails } from './billing-details.ts'
import { getBalance } from './get-balance.ts'
import type { PaperDeps } from './letterhead.ts'
import { downloadInvoice, listInvoices } from './invoices.ts'
import { downloadMarginCsv, listMargin } from './margin.ts'
import { addBalance, deductBalance, transferBalance } from './move-calls.ts'
import { getOverview } from './overview.ts'
import { setOwnBalance } from './own-balance.ts'
import { createRateCard, listRateCards, removeRateCard } from './rate-cards.ts'
import { toRupees } from './rupees.ts'
import { downloadStatementCsv, downloadStatementPdf, listStatement } from './statement.ts'
import { answerTopUp, cancelTopUp, requestTopUp } from './top-ups.ts'
import { listTopUps } from './topups.queries.ts'

type Part<Names extends keyof typeof billingEndpoints> = Pick<Handlers<typeof billingEndpoints>, Names>

const moves = (
  clock: Clock,
): Part<
  | 'balance.add'
  | 'balance.deduct'
  | 'balance.transfer'
  | 'balance.setOwn'
  | 'balance.resellerBalances'
  | 'balance.overview'
> => ({
  'balance.add': ({ db, actor, input }) => addBalance(db, { actor, ...input.body }),
  'balance.deduct': ({ db, actor, input }) => deductBalance(db, { actor, ...input.body }),
  'balance.transfer': ({ db, actor, input }) => transferBalance(db, { actor, ...input.body }),
  'balance.setOwn': ({ db, actor, input }) => setOwnBalance(db, { actor, ...input.body }),
  'balance.resellerBalances': async ({ db, actor }) => {
    const { available } = await getBalance(db, actor)
    return { balances: [{ balance: toRupees(available) }] }
  },
  'balance.overview': ({ db, actor, input }) =>
    getOverview(db, { actor, userId: input.query.userId, days: input.query.days, now: clock.now() }),
})

const requests: Part<'balance.request' | 'topUps.list' | 'topUps.answer' | 'topUps.cancel'> = {
  'balance.request': ({ db, actor, input }) => requestTopUp(db, { actor, ...input.body }),
  'topUps.list': ({ db, actor, input }) => listTopUps(db, { actor, query: input.query }),
  'topUps.answer': ({ db, actor, input }) =>
    answerTopUp(db, { actor, id: input.path.id, ...input.body, amount: input.body.amount }),
  'topUps.cancel': ({ db, actor, input }) => cancelTopUp(db, { actor, id: input.path.id }),
}

const papers = (
  deps: PaperDeps,
): Part<
  | 'statement.list'
  | 'statement.csv'
  | 'statement.pdf'
  | 'invoices.list'
  | 'invoices.pdf'
  | 'billingDetails.get'
  | 'billingDetails.set'
> => ({
  'statement.list': ({ db, actor, input }) => listStatement(db, { actor, query: input.query }),
  'statement.csv': ({ db, actor, input }) => downloadStatementCsv(db, { actor, query: input.query }),
  'statement.pdf': ({ db, actor, input }) => downloadStatementPdf(db, deps, { actor, query: input.query }),
  'invoices.list': ({ db, actor, input }) => listInvoices(db, { actor, query: input.query }),
  'invoices.pdf': ({ db, actor, input }) => downloadInvoice(db, deps, { actor, id: input.path.id }),
  'billingDetails.get': ({ db, actor }) => getBillingDetails(db, actor.organizationId),
  'billingDetails.set': ({ db, actor, input }) => setBillingDetails(db, { actor, details: input.body }),
})

const prices: Part<'rateCards.list' | 'rateCards.create' | 'rateCards.remove'> = {
  'rateCards.list': ({ db, actor, input }) => listRateCards(db, { actor, userId: input.query.userId }),
  'rateCards.create': ({ db, actor, input }) => createRateCard(db, { actor, ...input.body }),
  'rateCards.remove': ({ db, actor, input }) => removeRateCard(db, { actor, id: input.path.id }),
}

const margins: Handlers<typeof marginEndpoints> = {
  'margin.list': ({ db, actor, input }) => listMargin(db, { actor, query: input.query }),
  'margin.csv': ({ db, actor, input }) => downloadMarginCsv(db, { actor, query: input.query }),
}

export function billingHandlers({
  clock,
  ...deps
}: PaperDeps & { clock: Clock }): Handlers<typeof billingEndpoints & typeof marginEndpoints> {
  return { ...moves(clock), ...requests, ...papers(deps), ...prices, ...margins }
}
