import type { Database } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import type { KeyState } from './key-state.ts'

/** What a process keeps about API keys between calls. */
export type ApiKeys = {
  database: Database
  clock: Clock
  /** The limit of keys without one of their own, and of all others. */
  requestsPerSecond: number
  /** By public id. */
  cache: Map<string, CachedKey>
  /** By id. */
  buckets: Map<string, Bucket>
  /** Calls that are not written yet, by id. */
  uses: Map<string, Use>
}

export type CachedKey = {
  /** As last read. */
  state: KeyState | undefined
  /** The read that began at this time. Calls that arrive meanwhile wait for it. */
  reading: Promise<KeyState | undefined>
  readAt: number
}

/** Calls that a key may make at once: `level` of them at the time `at`, in milliseconds. */
export type Bucket = { level: number; at: number }

export type Use = { organizationId: string; requests: number; lastAt: Date; lastIp: string }

export function createApiKeys(options: Pick<ApiKeys, 'database' | 'clock' | 'requestsPerSecond'>): ApiKeys {
  return { ...options, cache: new Map(), buckets: new Map(), uses: new Map() }
}
