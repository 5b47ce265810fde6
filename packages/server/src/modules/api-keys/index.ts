/**
 * API keys: their secrets, scopes, owners, limits and configs. What a call with a key may see and do is decided by the key's owner
 * and the contract.
 */
export { createApiKeys, type ApiKeys } from './api-keys.ts'
export { authenticateKey, findKeyUser, forgetKeysBelow, isKnownKey } from './authenticate-key.ts'
export { applyConfig, findRestriction, findTooManyRecipients, type ConfiguredSend } from './apply-config.ts'
export { countSends } from './count-sends.ts'
export { countCall } from './count-call.ts'
export { apiKeyHandlers } from './handlers.ts'
export { apiKeyCron, apiKeyJobs } from './jobs.ts'
export { isKeyText } from './key-text.ts'
export { startKeyUse } from './key-use.ts'
