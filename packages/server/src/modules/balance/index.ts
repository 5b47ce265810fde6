/**
 * The ledger: what an organisation can spend, what is set aside for a campaign, what a message cost.
 * When to charge is the business of the modules that send.
 */
export { getBalance, type Balance } from './get-balance.ts'
export { captureHold, placeHold, releaseHold } from './holds.ts'
export { issue, recharge, refund } from './entries.ts'
export { moveBalance, type BalanceMove } from './move-balance.ts'
export { findRate, type Rate } from './find-rate.ts'
export { freezeShares, holdShares } from './shares.ts'
export { checkInvariants } from './invariants.ts'
export { assertLedgerSound, findBreaches, freezeLedger, moveProof, type Breach } from './prove-ledger.ts'
export { notifyLowBalances } from './low-balance.ts'
export { formatPrice, formatRupees, formatShortage, toRupees, toUnits } from './rupees.ts'
export { balanceHandlers } from './handlers.ts'
export { billingHandlers } from './billing-handlers.ts'
export { balanceCron, balanceJobs, issueInvoice, issueInvoices, monthBefore } from './issue-invoices.ts'
export type { InvoiceLine } from './invoice-lines.ts'
export { openOwnBalance } from './own-balance.ts'
