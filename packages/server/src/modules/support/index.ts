/** Support requests to the account above: assignment, messages and status. Notifications belong to `notifications`. */
export { supportHandlers } from './handlers.ts'
export { listRequests } from './list-requests.ts'
export { listMessages } from './messages.ts'
export { getPresented } from './present-request.ts'
