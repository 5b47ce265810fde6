/**
 * The request log: calls of API keys that send, with their bodies as the key's config allows. It is written beside the calls, which
 * belong to `public-api`, and read by the calls that also answer support requests.
 */
export { requestHandlers } from './handlers.ts'
export { createRequestLog, type RequestLog } from './request-log.ts'
