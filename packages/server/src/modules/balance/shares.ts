import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { Problem } from '../../lib/problem.ts'

export type SharedLeg = {
  organizationId: string
  /** Or the id of a single send. */
  campaignId: string
  leg: number
  /** What the sender pays per part. */
  price: number
  channel: Channel
  category: string
  country: string
}

/** Freezes what the resellers above pay per part of this leg, together with the leg's price. */
export async function freezeShares(
  db: Db,
  { organizationId, campaignId, leg, price, channel, category, country }: SharedLeg,
): Promise<void> {
  await sql`select freeze_shares(${organizationId}::uuid, ${campaignId}::uuid, ${leg}::smallint, ${price}::bigint,
    ${channel}, ${category}, ${country})`.execute(db)
}

/**
 * If a reseller sells below its own cost, the difference is held on its balance before sending.
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
  if (!rows[0]?.held) throw insufficientProviderBalance()
}

/** Does not reveal whose balance is insufficient. */
export function insufficientProviderBalance(): Problem {
  return new Problem('insufficient_balance', 'Your provider’s balance is insufficient: contact your account manager')
}
