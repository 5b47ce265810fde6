import { DatabaseRoleError } from './roles.ts'

/** Connection lost or refused, server starting or stopping, too many connections, host not found, or a primary that became a standby. */
const codes =
  /^(?:08\w{3}|57P0[1-5]|53300|25006|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** Errors of the client library, which have no code. */
const words =
  /Connection terminated|timeout exceeded when trying to connect|is not queryable|Query read timeout|Client has encountered a connection error/i

/** Whether a query failed because the database is temporarily unavailable, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseRoleError) return true
  if ('code' in error && typeof error.code === 'string') return codes.test(error.code)
  // Node tries every address of a host and reports the failures together.
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return words.test(error.message)
}
