import { failPoint } from '../../../lib/fail-points.ts'
import { advanceChunk, type Chunk, type Progress, type Step } from './chunks.queries.ts'
import type { LaneContext } from './lane-context.ts'
import { withdrawEntries } from './entries.queries.ts'
import { applyLateResults } from './late-results.ts'
import type { Leg } from './legs.ts'
import { persist } from './persist.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { retryRefusedBeforePause } from './resumed-retries.ts'
import { gather, type Entry } from './results.ts'

export type ChunkWork = { lane: LaneContext; leg: Leg; chunk: Chunk }

/** Writes the results of a chunk in any order, and moves its watermark before each slice. */
export type ChunkRecorder = Recorder<Entry, Step['next'], Progress>

export function createChunkRecorder({ lane, leg, chunk }: ChunkWork): ChunkRecorder {
  /** Positions of recipients that were sent and have no result yet. */
  const isOpen = new Uint8Array(chunk.hi - chunk.watermark)
  const first = chunk.watermark
  let watermark = chunk.watermark
  let recorded = chunk.watermark

  /** Once these results are written, everything before `recorded` has one. */
  function advance(entries: readonly Entry[]) {
    for (const { seq } of entries) isOpen[seq - first] = 0
    while (recorded < watermark && !isOpen[recorded - first]) recorded += 1
  }

  return createRecorder<Entry, Step['next'], Progress>({
    onFailure: lane.fail,
    async write(entries, next) {
      advance(entries)
      if (next) failPoint('before-watermark')
      const isLast = recorded === chunk.hi
      if (isLast) failPoint('before-done')
      const before = gather(entries)
      await withdrawEntries(lane.pool, leg, before.withdrawn)
      const step: Step = {
        chunkNo: chunk.chunkNo,
        epoch: lane.key.epoch,
        runEpoch: chunk.runEpoch,
        recorded,
        before,
        next,
      }
      const progress = await persist(() => advanceChunk(lane.pool, leg, step))
      if (isLast) failPoint('after-capture')
      if (next && progress.moved) {
        for (const seq of next.seqs) isOpen[seq - first] = 1
        watermark = next.watermark
      }
      if (progress.inserted < before.results.length) {
        await persist(() => applyLateResults(lane.pool, leg, before.results))
      }
      await retryRefusedBeforePause(lane.pool, leg, before.retries)
      return progress
    },
  })
}
