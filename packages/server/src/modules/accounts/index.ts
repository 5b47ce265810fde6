/**
 * The tree of accounts: who there is, below whom, which modules and limits each has, and whether it may send.
 * Signing in is the business of auth, money of balance, the calls by which one account manages others of people.
 */
export {
  createAccount,
  grantModules,
  setModules,
  type CreatedAccount,
  type NewAccount,
  type Parent,
} from './create-account.ts'
export { findPendingEmail, isEmailTaken, recordForBoth, requestEmailChange, type MailOptions } from './email-changes.ts'
export {
  assertNamesFree,
  findTakenNames,
  getAccount,
  isFounder,
  lockBelow,
  lockParent,
  type AccountRow,
  type TakenNames,
  updateAccount,
} from './find-account.ts'
export { accountHandlers } from './handlers.ts'
export { assertWithinLimits, listLimits, type Addition } from './limits.ts'
export { assertMayEnter, findEnterable } from './may-enter.ts'
export { findNamedAccounts, type NamedAccount } from './named-accounts.ts'
export { assertHas, assertOrganizationHas, countModuleUsers } from './permissions.ts'
export { assertFits, assertMayCreate, parentRoles, usesEveryModule } from './rank.ts'
export { assertMaySend, getAccountStatus, lockAccountStatus } from './account-status.ts'
