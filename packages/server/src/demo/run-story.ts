import { asSystem, type Database } from '../db/pool.ts'
import { completeStory, openProgress, StoryStopped } from './story-progress.ts'
import { playStory, type StoryOptions } from './story.ts'
import { addSenderPoints } from './usage.ts'

type StoryRun = Omit<StoryOptions, 'progress'> & { database: Database; onFailure(error: unknown): void }

/** Plays the rest of the story in the background. `stop` waits for the current step. */
export function runStory({ database, onFailure, ...options }: StoryRun): { stop(): Promise<void> } {
  const stopping = new AbortController()
  async function play() {
    await playStory({ ...options, progress: await openProgress(database, stopping.signal) })
    await asSystem(database, addSenderPoints)
    await completeStory(database)
  }
  const ended = play().catch((error: unknown) => {
    if (!(error instanceof StoryStopped)) onFailure(error)
  })
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
