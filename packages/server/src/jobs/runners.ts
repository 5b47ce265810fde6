import type pg from 'pg'
import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'

/** In milliseconds. */
export type RunnerTiming = {
  heartbeat: number
  /** A runner without heartbeat for this long is dead. */
  lease: number
}

type RunnerOptions = {
  pool: pg.Pool
  logger: Logger
  /** The id under which the runner locks jobs; changes when it is replaced. */
  id(): string
  timing?: RunnerTiming
}

const usual: RunnerTiming = { heartbeat: 5000, lease: 45_000 }

/**
 * Renews the heartbeat of this process's runner, and unlocks the jobs of dead runners. Otherwise the queue keeps the jobs of
 * a killed process locked for four hours.
 */
export function renewRunner({ pool, logger, id, timing = usual }: RunnerOptions): {
  stop(): Promise<void>
  /** The runner has stopped in order and holds no jobs. */
  forget(): Promise<void>
} {
  let seenAt = Number.NEGATIVE_INFINITY

  async function heartbeat() {
    await pool.query(
      'insert into job_runners (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()',
      [id()],
    )
    // After a database outage no heartbeat is fresh: give the others time to renew theirs.
    const mayJudge = performance.now() - seenAt < timing.lease / 2
    seenAt = performance.now()
    if (mayJudge) await unlockJobsOfTheDead()
  }

  async function unlockJobsOfTheDead() {
    const { rows } = await pool.query<{ id: string }>(
      `with dead as (
        delete from job_runners where seen_at < now() - $1::int * interval '1 millisecond' returning id
      ), unlocked as (
        select graphile_worker.force_unlock_workers(array(select id from dead))
      )
      select id from dead cross join unlocked`,
      [timing.lease],
    )
    if (rows.length > 0)
      logger.warn({ runners: rows.map((row) => row.id) }, 'the jobs of a process that died were unlocked')
  }

  const heartbeats = runEvery(timing.heartbeat, heartbeat, { name: 'keeping the job runner alive', logger })
  return {
    stop: heartbeats.stop,
    async forget() {
      await pool.query('delete from job_runners where id = $1', [id()]).catch(() => undefined)
    },
  }
}
