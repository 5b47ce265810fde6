/**
 * The tree of accounts: who there is, below whom, and which modules each may use.
 * Signing in is the business of auth, money of balance.
 */
export { createAccount, type CreatedAccount, type NewAccount } from './create-account.ts'
export { accountHandlers } from './handlers.ts'
