import { performance } from 'node:perf_hooks'

/** The job is tried again later, with the queue's increasing delays, because the provider did not answer the one before. */
export class ProviderPaused extends Error {
  override name = 'ProviderPaused'
  constructor() {
    super('The provider did not answer an earlier job; tried again later')
  }
}

/** In milliseconds. */
export type PauseTiming = {
  /** A job that fails after at least this long was waiting for an answer that did not come. */
  slow: number
  /** Doubled with each further job that gets no answer. */
  first: number
  longest: number
}

const usual: PauseTiming = { slow: 5000, first: 30_000, longest: 600_000 }

/**
 * Pauses the jobs of organisations whose provider does not answer. A job that waits occupies a place until its timeout;
 * with the pauses, many such organisations together leave most places to the others.
 */
export function createProviderPauses(timing = usual): {
  run(organizationId: string, job: () => Promise<void>): Promise<void>
} {
  const paused = new Map<string, { until: number; pauseMs: number }>()
  return {
    async run(organizationId, job) {
      const pause = paused.get(organizationId)
      const begun = performance.now()
      if (pause && begun < pause.until) throw new ProviderPaused()
      try {
        await job()
        paused.delete(organizationId)
      } catch (error) {
        const now = performance.now()
        const pauseMs = pause ? Math.min(pause.pauseMs * 2, timing.longest) : timing.first
        if (now - begun >= timing.slow) paused.set(organizationId, { until: now + pauseMs, pauseMs })
        throw error
      }
    },
  }
}
