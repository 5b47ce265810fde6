/** Support requests to the account above: assignment, messages and status. Notifications belong to `notifications`. */
export { supportHandlers } from './handlers.ts'
