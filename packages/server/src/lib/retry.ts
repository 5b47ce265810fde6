export type RetryOptions = {
  /** Whether the same work may succeed a moment later. Other errors are thrown at once. */
  isTransient(error: unknown): boolean
  /** How long to wait before the second, third … try. After the last one the error is thrown. */
  delaysMs: readonly number[]
}

/** Tries again while the work fails for a reason that passes. The work must be safe to repeat. */
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
