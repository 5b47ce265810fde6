import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { createBitmap, fromBitStrings, hasBit, setBit, type Bitmap } from '../../../lib/bitmap.ts'
import { getChannel } from '../../../channels/index.ts'
import { getAudience } from '../../audience/index.ts'
import type { CampaignRow } from '../campaigns.queries.ts'
import { blockSize, freezeMembers, freezeSkips } from '../planning/leg-members.ts'
import { findUnreachable } from './unreachable.ts'

type FrozenLeg = {
  leg: number
  senderId: string
  lo: number
  hi: number
  isStart: boolean
  members: Bitmap | undefined
}

/**
 * Takes recipients who cannot be reached by now out of the legs of a campaign that is about to be cut into chunks. Those who would have
 * begun with such a leg are skipped there, which leads them to their next leg if there is one. The hold includes that leg already.
 */
export async function cutUnreachable(db: Db, campaign: CampaignRow): Promise<void> {
  const { organization_id: organizationId, id: campaignId, audience_id: audienceId, total } = campaign
  if (!audienceId) return
  const { reading } = await getAudience(db, { organizationId, id: audienceId })
  for (const { senderId, ...leg } of await listCheckedLegs(db, campaign)) {
    const key = { organizationId, audienceId, senderId }
    const { unreachable } = await findUnreachable(db, key, { reading, accepted: total })
    if (!unreachable) continue
    const { left, cut, people } = divide(leg, unreachable, total)
    if (people === 0) continue
    const ofLeg = { organizationId, campaignId, leg: leg.leg }
    await sql`delete from leg_members where organization_id = ${organizationId}::uuid and campaign_id = ${campaignId}::uuid
      and leg = ${leg.leg}::smallint`.execute(db)
    await freezeMembers(db, ofLeg, left)
    if (!leg.isStart) continue
    await freezeSkips(db, ofLeg, { reason: 'number_unreachable', members: cut })
    await sql`update campaign_legs set starters = greatest(0, starters - ${people}::int) where organization_id = ${organizationId}::uuid
      and campaign_id = ${campaignId}::uuid and leg = ${leg.leg}::smallint`.execute(db)
  }
}

/** The members of a leg who can be reached, and those of its range who cannot. */
function divide({ lo, hi, members }: Omit<FrozenLeg, 'senderId'>, unreachable: Bitmap, total: number) {
  const [left, cut] = [createBitmap(total), createBitmap(total)]
  let people = 0
  for (let seq = 0; seq < total; seq += 1) {
    if (members && !hasBit(members, seq)) continue
    if (!hasBit(unreachable, seq)) setBit(left, seq)
    else if (seq >= lo && seq < hi) {
      setBit(cut, seq)
      people += 1
    }
  }
  return { left, cut, people }
}

type Row = Omit<FrozenLeg, 'members'> & {
  channel: CampaignRow['channel']
  blocks: { block: number; bits: string }[] | null
}

/** Legs whose provider can check numbers in advance. */
async function listCheckedLegs(
  db: Db,
  { organization_id: organizationId, id: campaignId, total }: CampaignRow,
): Promise<FrozenLeg[]> {
  const { rows } = await sql<Row>`
    select leg.leg, leg.channel, leg.sender_id as "senderId", coalesce(leg.lo, 0) as lo, coalesce(leg.hi, ${total}::int) as hi,
      leg.enter_reasons = '{}' as "isStart",
      (select json_agg(json_build_object('block', block, 'bits', members::text)) from leg_members member
        where member.organization_id = leg.organization_id and member.campaign_id = leg.campaign_id and member.leg = leg.leg) as blocks
    from campaign_legs leg
    where leg.organization_id = ${organizationId}::uuid and leg.campaign_id = ${campaignId}::uuid order by leg.leg`.execute(
    db,
  )
  return rows
    .filter(({ channel }) => getChannel(channel).checksReach)
    .map(({ channel: _channel, blocks, ...leg }) => ({
      ...leg,
      members: blocks ? fromBitStrings(blocks, { size: blockSize, length: total }) : undefined,
    }))
}
