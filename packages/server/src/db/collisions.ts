import { retry } from '../lib/retry.ts'

/** The longest waits before the next tries; the real ones are random, so that the two do not meet again. */
const longestDelaysMs = [20, 40, 60, 80]

/** Retries `work` when the database aborts its transaction because of a deadlock. The aborted transaction has had no effect. */
export async function againOnCollision<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, { isTransient: isCollision, delaysMs: longestDelaysMs.map((longest) => Math.random() * longest) })
}

/** Deadlock or serialization failure. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}
