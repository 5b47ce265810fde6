import type pg from 'pg'
import { runEvery } from '../lib/background.ts'
import type { Logger } from '../lib/logger.ts'

/** In milliseconds. */
export type RunnerTiming = {
  beat: number
  /** A runner that was not seen for so long is dead. */
  lease: number
}

type RunnerOptions = {
  pool: pg.Pool
  logger: Logger
  /** Under which the runner locks jobs; another one after it was replaced. */
  id(): string
  timing?: RunnerTiming
}

const usual: RunnerTiming = { beat: 5000, lease: 45_000 }

/**
 * Keeps the row of this process's runner fresh, and unlocks the jobs of runners that are dead. Without this the queue keeps the
 * jobs of a killed process locked for four hours.
 */
export function renewRunner({ pool, logger, id, timing = usual }: RunnerOptions): {
  stop(): Promise<void>
  /** The runner has ended in order and holds no jobs. */
  forget(): Promise<void>
} {
  let seenAt = Number.NEGATIVE_INFINITY

  async function beat() {
    await pool.query(
      'insert into job_runners (id) values ($1) on conflict (id) do update set seen_at = clock_timestamp()',
      [id()],
    )
    // After a time without the database nobody is fresh: the others get the time to say that they are alive.
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

  const beating = runEvery(timing.beat, beat, { name: 'keeping the job runner alive', logger })
  return {
    stop: beating.stop,
    async forget() {
      await pool.query('delete from job_runners where id = $1', [id()]).catch(() => undefined)
    },
  }
}
