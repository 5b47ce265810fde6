/**
 * Numbers on dashboards and files to take away. Where the numbers come from is the business of the engine and of campaigns.
 */
export { reportHandlers } from './handlers.ts'
