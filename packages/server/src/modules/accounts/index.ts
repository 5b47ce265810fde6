/** The account tree: hierarchy, modules, limits and status. Sign-in belongs to `auth`, money to `balance`, and management calls to `users`. */
export {
  createAccount,
  grantModules,
  setModules,
  type CreatedAccount,
  type NewAccount,
  type Parent,
} from './create-account.ts'
export {
  clearSecondFactor,
  confirmTotpSecret,
  consumeRecoveryCode,
  consumeTotpStep,
  saveOneTimePassword,
  savePassword,
  saveTotpSecret,
} from './credentials.ts'
export { endEmailChange, markEmailChanged, replacePendingEmail, saveEmail } from './write-email.ts'
export { isEmailTaken, recordForBoth, requestEmailChange, type MailOptions } from './email-changes.ts'
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
export { assertWithinLimits, limitExceeded, listLimits, lockLimits, type Addition, type LimitRoom } from './limits.ts'
export { assertMayEnter, findEnterable } from './may-enter.ts'
export { findNamedAccounts, type NamedAccount } from './named-accounts.ts'
export { assertHas, assertOrganizationHas, countModuleUsers, grantPermissions } from './permissions.ts'
export { assertFits, assertMayCreate, parentRoles, usesEveryModule } from './rank.ts'
export { accountSuspended, assertMaySend, getAccountStatus, holdMaySend, lockAccountStatus } from './account-status.ts'
