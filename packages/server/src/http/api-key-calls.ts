import type { Endpoint } from '@carillon/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKeyActor, UserActor } from '../actor.ts'
import { Problem } from '../lib/problem.ts'
import type { Client } from './client.ts'

/** What is left of an API key's calls, after this one. */
export type Allowance = {
  /** Calls at once, and the seconds in which as many become available again. */
  quota: number
  windowSeconds: number
  remaining: number
  /** Seconds until all of them are available. */
  resetSeconds: number
  /** Seconds until the next one is; undefined if this call is allowed. */
  retryAfter: number | undefined
}

/** Counts a call by an API key. */
export type CountCall = (actor: UserActor, apiKey: ApiKeyActor, client: Client) => Allowance

const wholeKey = /carillon_(?:test|live)_[\da-f]{8}_[\da-f]{64}_[\da-f]{8}/

/** URLs are kept in logs, histories and proxies. */
export function refuseKeyInUrl({ query }: FastifyRequest) {
  if (wholeKey.test(JSON.stringify(query ?? {})))
    throw new Problem(
      'key_in_url',
      'The URL contains an API key, and URLs are kept in logs: regenerate this key, and send the new one in the header Authorization: Bearer',
    )
}

/** Counts the call, and reports the rest of the quota in the response's headers. */
export function limitCall(reply: FastifyReply, { quota, windowSeconds, remaining, ...rest }: Allowance) {
  reply.header('ratelimit-policy', `"key";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"key";r=${remaining};t=${rest.resetSeconds}`)
  if (rest.retryAfter !== undefined)
    throw new Problem('too_many_requests', 'Too many requests with this API key: try again shortly', {
      retryAfter: rest.retryAfter,
    })
}

/** Throws unless the key's scopes and its environment allow the call. */
export function assertKeyAllows({ route, scope, testKeys }: Endpoint, { scopes, environment }: ApiKeyActor) {
  if (scope === undefined) throw new Problem('forbidden', 'API keys cannot make this call: sign in instead')
  if (!scopes.has(scope))
    throw new Problem('scope_missing', `This API key does not have the scope ${scope}`, {
      details: [{ field: 'scope', message: scope }],
    })
  if (environment === 'test' && !testKeys && !route.startsWith('GET '))
    throw new Problem('live_key_required', 'Test keys cannot change live data: use a live key for this call')
}
