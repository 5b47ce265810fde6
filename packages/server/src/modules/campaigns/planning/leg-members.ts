import type { FailureClass } from '@carillon/contract/campaign-records'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { toBitStrings, type Bitmap } from '../../../lib/bitmap.ts'

type LegOfCampaign = { organizationId: string; campaignId: string; leg: number }

/** Bits of a row of `leg_members` and `leg_skips`. */
export const blockSize = 1024

/** Limits a leg to some recipients. Without rows, a leg is for all of its range. */
export async function freezeMembers(
  db: Db,
  { organizationId, campaignId, leg }: LegOfCampaign,
  members: Bitmap,
): Promise<void> {
  const { blocks, bits } = columnsOf(members)
  await sql`
    insert into leg_members (organization_id, campaign_id, leg, block, members)
    select ${organizationId}::uuid, ${campaignId}::uuid, ${leg}::smallint, block, bits::bit(1024)
    from unnest(${blocks}::int[], ${bits}::text[]) as given (block, bits)`.execute(db)
}

/** Recipients whose message of a leg is skipped when the campaign starts. */
export async function freezeSkips(
  db: Db,
  { organizationId, campaignId, leg }: LegOfCampaign,
  { reason, members }: { reason: FailureClass; members: Bitmap },
): Promise<void> {
  const { blocks, bits } = columnsOf(members)
  await sql`
    insert into leg_skips (organization_id, campaign_id, leg, reason, block, members)
    select ${organizationId}::uuid, ${campaignId}::uuid, ${leg}::smallint, ${reason}, block, bits::bit(1024)
    from unnest(${blocks}::int[], ${bits}::text[]) as given (block, bits)
    on conflict (organization_id, campaign_id, leg, reason, block) do update set members = leg_skips.members | excluded.members`.execute(
    db,
  )
}

function columnsOf(members: Bitmap) {
  const found = toBitStrings(members, blockSize)
  // Without any row, the leg would be for everyone.
  const rows = found.length > 0 ? found : [{ block: 0, bits: '0'.repeat(blockSize) }]
  return { blocks: rows.map(({ block }) => block), bits: rows.map(({ bits }) => bits) }
}
