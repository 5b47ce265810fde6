import type { Endpoint } from '@carillon/contract/endpoint'
import { Problem } from '../lib/problem.ts'

/** Calls of this process that wait for a provider, counted per organisation. */
export type ProviderSlots = {
  /**
   * Runs the call, or rejects it with 429 if the organisation has too many in progress. After the deadline it is answered with
   * 503; it occupies its slot until it has ended.
   */
  run<Result>(organizationId: string, call: () => Promise<Result>): Promise<Result>
}

const retryAfterSeconds = 5

/** Limits how much of a process one organisation can occupy with a provider that responds slowly or never. */
export function createProviderSlots({ limit = 10, deadlineMs = 120_000 } = {}): ProviderSlots {
  const underWay = new Map<string, number>()
  return {
    async run(organizationId, call) {
      const count = underWay.get(organizationId) ?? 0
      if (count >= limit)
        throw new Problem('too_many_requests', 'Too many requests to the provider are in progress: try again shortly', {
          retryAfter: retryAfterSeconds,
        })
      underWay.set(organizationId, count + 1)
      const running = call().finally(() => {
        const left = (underWay.get(organizationId) ?? 1) - 1
        if (left > 0) underWay.set(organizationId, left)
        else underWay.delete(organizationId)
      })
      return answerBy(deadlineMs, running)
    },
  }
}

/** A call may send several requests to the provider, each with a timeout of its own. */
async function answerBy<Result>(deadlineMs: number, running: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      late.reject(
        new Problem('unavailable', 'The provider did not respond in time. Check its state before you try again.'),
      ),
    deadlineMs,
  )
  try {
    return await Promise.race([running, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the endpoint is declared as one that waits for a provider. */
export function asksProvider({ asksProvider: asks }: Endpoint, query: unknown): boolean {
  if (asks === undefined) return false
  return asks === true || Object(query)[asks.query] === asks.is
}
