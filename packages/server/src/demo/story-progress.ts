import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../db/pool.ts'

/** The steps of the story that are done, so that a later start continues where an earlier one stopped. */
export type StoryProgress = {
  /** Returns the recorded result of a step, or runs and records it. Throws `StoryStopped` after a stop. */
  step<Result>(name: string, run: () => Promise<Result> | Result): Promise<Result>
  /** Throws `StoryStopped` after a stop. */
  throwIfStopped(): void
}

export class StoryStopped extends Error {
  override name = 'StoryStopped'
}

const stateKey = 'demo_story'

type State = { steps: Record<string, { result?: unknown }> } | { completedAt: string }

/** Marks the story as incomplete. A demo without this state is complete. */
export async function beginStory(db: Db): Promise<void> {
  const state: State = { steps: {} }
  await sql`insert into system_state (key, value) values (${stateKey}, ${JSON.stringify(state)}::jsonb)`.execute(db)
}

export async function isStoryIncomplete(database: Database): Promise<boolean> {
  const state = await readState(database)
  return state !== undefined && 'steps' in state
}

export async function completeStory(database: Database): Promise<void> {
  const state: State = { completedAt: new Date().toISOString() }
  await asSystem(database, (db) =>
    sql`update system_state set value = ${JSON.stringify(state)}::jsonb where key = ${stateKey}`.execute(db),
  )
}

export async function openProgress(database: Database, stopped: AbortSignal): Promise<StoryProgress> {
  const state = await readState(database)
  const steps = new Map(Object.entries(state && 'steps' in state ? state.steps : {}))
  const throwIfStopped = () => {
    if (stopped.aborted) throw new StoryStopped()
  }
  return {
    throwIfStopped,
    async step<Result>(name: string, run: () => Promise<Result> | Result) {
      throwIfStopped()
      const recorded = steps.get(name)
      // The result of the same step at an earlier start.
      if (recorded) return recorded.result as Result
      const result = await run()
      await recordStep(database, { name, result })
      return result
    },
  }
}

async function recordStep(database: Database, { name, result }: { name: string; result: unknown }): Promise<void> {
  await asSystem(database, (db) =>
    sql`update system_state set value = jsonb_set(value, ${['steps', name]}::text[], ${JSON.stringify({ result })}::jsonb)
      where key = ${stateKey}`.execute(db),
  )
}

async function readState(database: Database): Promise<State | undefined> {
  const { rows } = await asSystem(database, (db) =>
    sql<{ value: State }>`select value from system_state where key = ${stateKey}`.execute(db),
  )
  return rows[0]?.value
}

/** For a story that is played once, in one process. */
export const unrecorded: StoryProgress = { step: async (_, run) => run(), throwIfStopped: () => undefined }
