import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'

type LegOfCampaign = { organizationId: string; campaignId: string; leg: number }
type Members = { excluded: ReadonlySet<number> | undefined; range: { lo: number; hi: number } }

/** Bits of a row of `leg_members`. */
const blockSize = 1024

/** Limits a leg to the recipients of its range without the excluded ones. A leg that excludes no one gets no rows. */
export async function freezeMembers(
  db: Db,
  { organizationId, campaignId, leg }: LegOfCampaign,
  { excluded, range }: Members,
): Promise<void> {
  const blocks = blocksWithout(excluded, range)
  if (blocks.length === 0) return
  await sql`
    insert into leg_members (organization_id, campaign_id, leg, block, members)
    select ${organizationId}::uuid, ${campaignId}::uuid, ${leg}::smallint, block, bits::bit(1024)
    from unnest(${blocks.map(({ block }) => block)}::int[], ${blocks.map(({ bits }) => bits)}::text[]) as given (block, bits)`.execute(
    db,
  )
}

type Block = { block: number; bits: string }

/** Every block of the range, or none if no one is excluded from it. */
export function blocksWithout(excluded: ReadonlySet<number> | undefined, { lo, hi }: Members['range']): Block[] {
  const gaps = [...(excluded ?? [])].filter((seq) => seq >= lo && seq < hi)
  if (gaps.length === 0) return []
  const gapsOfBlock = Map.groupBy(gaps, (seq) => Math.floor(seq / blockSize))
  const first = Math.floor(lo / blockSize)
  const last = Math.floor((hi - 1) / blockSize)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const block = first + index
    const start = block * blockSize
    const bits = Array.from({ length: blockSize }, (__, place) =>
      start + place >= lo && start + place < hi ? '1' : '0',
    )
    for (const seq of gapsOfBlock.get(block) ?? []) bits[seq - start] = '0'
    return { block, bits: bits.join('') }
  })
}
