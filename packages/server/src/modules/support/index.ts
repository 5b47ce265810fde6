/**
 * Questions to the account above and the threads they become: who answers, who looks on, where each stands.
 * Telling people of it is the business of notifications.
 */
export { supportHandlers } from './handlers.ts'
