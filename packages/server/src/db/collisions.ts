const mostTries = 4

/**
 * Two transactions that wait for each other's rows are told apart by the database, which ends one of them whole. That one is
 * tried again: nothing of it has happened.
 */
export async function againOnCollision<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === mostTries || !isCollision(error)) throw error
      await new Promise((resume) => setTimeout(resume, Math.random() * 20 * tries))
    }
  }
}

/** Deadlock or serialization failure. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}
