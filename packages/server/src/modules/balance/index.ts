/** The ledger: balances, holds and charges. The sending modules decide when to charge. */
export { getBalance, type Balance } from './get-balance.ts'
export { captureHold, insufficientBalance, placeHold, releaseHold } from './holds.ts'
export { issue, recharge, refund } from './entries.ts'
export { moveBalance, type BalanceMove } from './move-balance.ts'
export { findRate, findRates, type Rate } from './find-rate.ts'
export { freezeShares, holdShares, insufficientProviderBalance } from './shares.ts'
export { checkInvariants } from './invariants.ts'
export { assertLedgerSound, findBreaches, freezeLedger, ledgerFrozen, moveProof, type Breach } from './prove-ledger.ts'
export { notifyLowBalances } from './low-balance.ts'
export { formatPrice, formatRupees, formatShortage, toRupees, toUnits } from './rupees.ts'
export { balanceHandlers } from './handlers.ts'
export { billingHandlers } from './billing-handlers.ts'
export { balanceCron, balanceJobs, issueInvoice, issueInvoices, monthBefore } from './issue-invoices.ts'
export type { InvoiceLine } from './invoice-lines.ts'
export { findLetterhead, type Letterhead } from './letterhead.ts'
export {
  createPdf,
  numberPages,
  tableWidth,
  writeFacts,
  writeHeader,
  writeNote,
  writeTableRow,
  writeTitle,
  type Column as PdfColumn,
  type Pdf,
} from './pdf-page.ts'
export { openOwnBalance } from './own-balance.ts'
export { ledgerRows } from './ledger-rows.ts'
