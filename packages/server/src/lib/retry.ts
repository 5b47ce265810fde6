export type RetryOptions = {
  /** Whether a retry moments later may succeed. Other errors are thrown at once. */
  isTransient(error: unknown): boolean
  /** Waiting times before the second, third, … attempt. After the last one the error is thrown. */
  delaysMs: readonly number[]
}

/** Retries work that failed for a temporary reason. The work must be safe to repeat. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { isTransient, delaysMs }: RetryOptions,
): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      await new Promise((resume) => setTimeout(resume, delayMs))
    }
  }
  return work()
}
