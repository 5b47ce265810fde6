import type { ApiKeyActor, UserActor } from '../../actor.ts'
import type { Allowance } from '../../http/api-key-calls.ts'
import type { Client } from '../../http/client.ts'
import type { ApiKeys, Bucket } from './api-keys.ts'
import { noteUse } from './key-use.ts'

export type CallRate = { perSecond: number; burst: number }

/** Counts a call by an API key in this process; an allowed one is also recorded as a use of the key. */
export function countCall(
  keys: ApiKeys,
  actor: UserActor,
  { apiKey, client }: { apiKey: ApiKeyActor; client: Client },
) {
  const rate = rateOf(apiKey, keys.requestsPerSecond)
  const full = { level: rate.burst, at: performance.now() }
  const { bucket, allowance } = takeCall(keys.buckets.get(apiKey.id) ?? full, rate, full.at)
  if (keys.buckets.size >= mostBuckets) keys.buckets.clear()
  keys.buckets.set(apiKey.id, bucket)
  if (allowance.retryAfter === undefined) noteUse(keys, actor, { apiKeyId: apiKey.id, ip: client.ip })
  return allowance
}

const mostBuckets = 100_000

/** The rate of the key's config, within that of the installation. */
export function rateOf({ config }: Pick<ApiKeyActor, 'config'>, most: number): CallRate {
  const perSecond = Math.min(config?.rate.requestsPerSecond ?? most, most)
  return { perSecond, burst: Math.min(config?.rate.burst ?? perSecond, most) }
}

/** Takes one call from a bucket that fills with `perSecond` up to `burst`. */
export function takeCall(
  before: Bucket,
  { perSecond, burst }: CallRate,
  now: number,
): { bucket: Bucket; allowance: Allowance } {
  const level = Math.min(burst, before.level + (Math.max(0, now - before.at) / 1000) * perSecond)
  const isAllowed = level >= 1
  const after = isAllowed ? level - 1 : level
  return {
    bucket: { level: after, at: now },
    allowance: {
      quota: burst,
      windowSeconds: Math.ceil(burst / perSecond),
      remaining: Math.floor(after),
      resetSeconds: Math.ceil((burst - after) / perSecond),
      retryAfter: isAllowed ? undefined : Math.ceil((1 - level) / perSecond),
    },
  }
}
