import type { ApiKeyProblem } from '@carillon/contract/api-key-records'
import { messages } from '@carillon/contract/errors'
import type { UserActor } from '../../actor.ts'
import { eachAsSystem } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'
import type { ApiKeys, CachedKey } from './api-keys.ts'
import { findKeyState, judgeKey, judgeNamedKey, type KeyState, type KeyUse } from './key-state.ts'
import { parseKeyText } from './key-text.ts'

/** A change of a key or its owner takes effect within this time in every process. */
const cacheMs = 5000
const cacheSize = 10_000

/** The owner of a key, restricted by it; undefined if it is unknown, throws if it is known and may not be used. */
export async function authenticateKey(keys: ApiKeys, text: string, address: string): Promise<UserActor | undefined> {
  const key = parseKeyText(text)
  if (!key) return undefined
  const now = keys.clock.now()
  const judge = (state: KeyState | undefined) =>
    state ? judgeKey(state, { hash: key.hash, now, address }) : ('unknown' as const)
  const cached = findCached(keys, key.publicId)
  let state = await (cached ?? readKey(keys, key.publicId))
  // Another process may just have regenerated it.
  if (cached && judge(state) === 'unknown') state = await readKey(keys, key.publicId)
  const problem = judge(state)
  if (!state || !problem) return state?.actor
  const refusal = refusals[problem]({ state, address })
  if (refusal) throw refusal
  return undefined
}

type NamedUse = Pick<KeyUse, 'address' | 'scope'> & {
  /** How old what is known of the key may be. */
  maximumAgeMs?: number
}

/** The owner of a key by its public id, restricted by it; or why it may not be used. For credentials that belong to a key. */
export async function findKeyUser(
  keys: ApiKeys,
  publicId: string,
  { maximumAgeMs, ...use }: NamedUse,
): Promise<KeyState['actor'] | ApiKeyProblem> {
  const state = await (findCached(keys, publicId, maximumAgeMs) ?? readKey(keys, publicId))
  if (!state) return 'unknown'
  return judgeNamedKey(state, { ...use, now: keys.clock.now() }) ?? state.actor
}

/** Whether the key was accepted when it was last read; without a query. */
export function isKnownKey({ cache, clock }: ApiKeys, text: string, address: string): boolean {
  const key = parseKeyText(text)
  const state = key && cache.get(key.publicId)?.state
  return key !== undefined && state !== undefined && !judgeKey(state, { hash: key.hash, now: clock.now(), address })
}

/** What was read lately, or is being read. */
function findCached(
  { cache, clock }: ApiKeys,
  publicId: string,
  maximumAgeMs = cacheMs,
): CachedKey['reading'] | undefined {
  const cached = cache.get(publicId)
  return cached && cached.readAt + maximumAgeMs > clock.now().getTime() ? cached.reading : undefined
}

function readKey({ database, cache, clock }: ApiKeys, publicId: string): Promise<KeyState | undefined> {
  const reading = eachAsSystem(database, (db) => findKeyState(db, publicId))
  const entry: CachedKey = { state: cache.get(publicId)?.state, readAt: clock.now().getTime(), reading }
  if (cache.size >= cacheSize) cache.clear()
  cache.set(publicId, entry)
  const settle = (state: KeyState | undefined) => {
    entry.state = state
    // Only what exists is kept: the ids that do not are without number.
    if (!state && cache.get(publicId) === entry) cache.delete(publicId)
  }
  reading.then(settle, () => settle(undefined))
  return reading
}

type Refused = { state: KeyState; address: string }

/** Undefined: answered as an unknown key is. */
const refusals: Record<ApiKeyProblem, (refused: Refused) => Problem | undefined> = {
  unknown: () => undefined,
  revoked: () => new Problem('key_revoked', 'This API key was regenerated: use its new secret'),
  deactivated: () => new Problem('key_deactivated', 'This API key is deactivated: create a new one'),
  expired: () => new Problem('key_expired', 'This API key has expired: set a later expiry, or create a new one'),
  account_suspended: ({ state }) =>
    state.ownerStatus === 'suspended'
      ? new Problem('account_suspended', 'This account is suspended: contact your account manager')
      : undefined,
  module_missing: () => new Problem('module_forbidden', messages.notAuthorized),
  ip_not_allowed: ({ address }) => new Problem('ip_not_allowed', `This API key may not be used from ${address}`),
  // Calls check the scope.
  scope_missing: () => undefined,
}

/** Invalidates the keys of a subtree, so that changes apply to the next call instead of within seconds. */
export function forgetKeysBelow({ cache }: Pick<ApiKeys, 'cache'>, path: string): void {
  forgetWhere(cache, ({ actor }) => actor.scope.path === path || actor.scope.path.startsWith(`${path}.`))
}

export function forgetKey({ cache }: Pick<ApiKeys, 'cache'>, id: string): void {
  forgetWhere(cache, ({ actor }) => actor.apiKey.id === id)
}

export function forgetKeysWithConfig({ cache }: Pick<ApiKeys, 'cache'>, configId: string): void {
  forgetWhere(cache, ({ keyConfigId }) => keyConfigId === configId)
}

function forgetWhere(cache: ApiKeys['cache'], isMeant: (state: KeyState) => boolean): void {
  for (const [publicId, { state }] of cache) if (state && isMeant(state)) cache.delete(publicId)
}
