/** Connection lost, server restarting, too many connections, deadlock, serialization: what is right a moment later. */
const passing = /^(?:08\w{3}|57P0[1-3]|53300|40P01|40001|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/

const delaysMs = [100, 300, 1000, 2000, 4000]

/**
 * Writes what is known of messages that have left. It must not be lost to a database that restarts, so it is tried again
 * for some seconds; every such write may be repeated. Afterwards the lane breaks, and its next owner says *unknown*.
 */
export async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await write()
    } catch (error) {
      if (!isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return write()
}

function isPassing(error: unknown): boolean {
  // Errors of the database and of sockets have a code; others have none.
  const { code, message } = error as { code?: string; message?: string }
  return (
    passing.test(code ?? '') || /Connection terminated|timeout exceeded when trying to connect/i.test(message ?? '')
  )
}
