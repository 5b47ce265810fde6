import { retry } from '../lib/retry.ts'

/** The longest waits before the next tries; the real ones are random, so that the two do not meet again. */
const longestDelaysMs = [20, 40, 60, 80]

/**
 * Two transactions that wait for each other's rows are told apart by the database, which ends one of them whole. That one is
 * tried again: nothing of it has happened.
 */
export async function againOnCollision<Result>(work: () => Promise<Result>): Promise<Result> {
  return retry(work, { isTransient: isCollision, delaysMs: longestDelaysMs.map((longest) => Math.random() * longest) })
}

/** Deadlock or serialization failure. */
export function isCollision(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}
