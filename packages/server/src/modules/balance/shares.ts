import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

export type SharedLeg = {
  organizationId: string
  /** Or the single send. */
  campaignId: string
  leg: number
  /** What the sender pays for a part. */
  price: number
  channel: Channel
  category: string
  country: string
}

/** Fixes what the resellers above pay for a part of this leg, together with the price of the leg itself. */
export async function freezeShares(
  db: Db,
  { organizationId, campaignId, leg, price, channel, category, country }: SharedLeg,
): Promise<void> {
  await sql`select freeze_shares(${organizationId}::uuid, ${campaignId}::uuid, ${leg}::smallint, ${price}::bigint,
    ${channel}, ${category}, ${country})`.execute(db)
}

/**
 * Where a reseller sells below its own price, the difference is set aside on it before anything is sent. Whose balance lacks
 * it, and how much, is nothing that those below learn.
 */
export async function holdShares(
  db: Db,
  {
    organizationId,
    campaignId,
    holdId,
    amount,
  }: { organizationId: string; campaignId: string; holdId: string; amount: number },
): Promise<void> {
  const { rows } = await sql<{ held: boolean }>`
    select hold_shares(${organizationId}::uuid, ${campaignId}::uuid, ${holdId}::uuid, ${amount}::bigint) as held`.execute(
    db,
  )
  if (!rows[0]?.held)
    throw new Problem('insufficient_balance', 'Your provider’s balance is insufficient: contact your account manager')
}
