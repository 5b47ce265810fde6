const unavailableCodes = /^(?:08\w{3}|57P0[1-3]|53300|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/

/** True when the database could not be reached or had no connection free; the same call may succeed a moment later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    ('code' in error && unavailableCodes.test(String(error.code))) ||
    /Connection terminated|timeout exceeded when trying to connect/i.test(error.message)
  )
}
