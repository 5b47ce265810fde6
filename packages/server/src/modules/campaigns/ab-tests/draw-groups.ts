import { createHash } from 'node:crypto'
import type { AbTest } from '@carillon/contract/draft-legs'

/** What the recipients of a campaign get: a variant in the test, its winner, or nothing. */
export type Groups = {
  variants: number
  rest: number
  heldOut: number
  /** The variant of a recipient in the test, or one of the groups below. */
  groupAt(seq: number): number
}

export const restGroup = -1
export const heldOutGroup = -2

type Test = Pick<AbTest, 'samplePercent' | 'holdoutPercent'> & { variants: readonly unknown[] }

/**
 * Divides the recipients in an order of hashes of the campaign and their position in the audience. The first of the order are in the test,
 * in turn with each variant, and the last are held out, so that a recipient stays with a variant if the test is enlarged, and sizes differ
 * by one at most. The number of variants includes the first message.
 */
export function drawGroups(
  campaignId: string,
  { variants, samplePercent, holdoutPercent }: Test,
  people: number,
): Groups {
  const count = variants.length + 1
  const heldOut = Math.floor((people * holdoutPercent) / 100)
  // At least one for each variant, if there are as many.
  const sample = Math.min(people - heldOut, Math.max(count, Math.round((people * samplePercent) / 100)))
  const groups = new Int8Array(people).fill(restGroup)
  for (const [rank, seq] of shuffle(campaignId, people).entries())
    if (rank < sample) groups[seq] = rank % count
    else if (rank >= people - heldOut) groups[seq] = heldOutGroup
  return { variants: count, rest: people - sample - heldOut, heldOut, groupAt: (seq) => groups[seq] ?? restGroup }
}

/** Positions in the order of their hashes. Both are in one number, which has 53 bits, because a million are sorted. */
function shuffle(campaignId: string, people: number): Uint32Array {
  const seed = createHash('sha256').update(campaignId).digest().readUInt32LE()
  const positions = 2 ** Math.ceil(Math.log2(Math.max(2, people)))
  const hashes = Math.min(2 ** 32, 2 ** 53 / positions)
  const keys = new Float64Array(people)
  for (let seq = 0; seq < people; seq += 1)
    keys[seq] = Math.floor((hashOf(seq, seed) / 2 ** 32) * hashes) * positions + seq
  keys.sort()
  return Uint32Array.from(keys, (key) => key % positions)
}

/** MurmurHash3 of a single number of 32 bits. */
function hashOf(value: number, seed: number): number {
  let mixed = Math.imul(value, 0xcc9e2d51)
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
  let hash = seed ^ mixed
  hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64
  hash ^= 4
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
