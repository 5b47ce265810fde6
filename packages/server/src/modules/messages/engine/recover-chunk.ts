import { advanceChunk, findUnrecorded } from './chunks.queries.ts'
import { persist } from './persist.ts'
import { knownIds } from './known-ids.ts'
import type { Recorded } from './results.ts'
import type { ChunkWork } from './chunk-recorder.ts'
import { render, skip } from './render-recipient.ts'

/** A message that a previous owner of the lane may have handed over without recording the response. */
export const senderEnded = { code: 'sender_ended', detail: 'The sender process ended before the provider responded' }

/**
 * Writes results for messages between the recorded position and the watermark that have none: *unknown*, or, if the provider
 * recognises a repeat, a retry as for other lost responses.
 */
export async function recoverChunk({ lane, leg, chunk }: ChunkWork): Promise<void> {
  const recipients = await findUnrecorded(lane.pool, leg, chunk)
  const before: Recorded = { results: [], retries: [], withdrawn: [] }
  for (const { recipient, message } of recipients.map((recipient) => render(leg, recipient))) {
    const { seq, phone } = recipient
    if (!message) before.results.push(skip(recipient, 'missing_variable'))
    else if (lane.isIdempotent)
      before.retries.push({
        seq,
        dueAt: new Date(),
        attempt: 0,
        reason: 'unknown',
        code: senderEnded.code,
        unanswered: true,
        parts: message.parts,
      })
    else
      before.results.push({
        seq,
        phone,
        status: 'unknown',
        parts: message.parts,
        attempt: 1,
        providerMessageIds: knownIds(lane, leg.referenceOf(seq)),
        ...senderEnded,
      })
  }
  const { chunkNo, runEpoch, watermark } = chunk
  await persist(() =>
    advanceChunk(lane.pool, leg, {
      chunkNo,
      runEpoch,
      epoch: lane.key.epoch,
      recorded: watermark,
      before,
      next: undefined,
    }),
  )
}
