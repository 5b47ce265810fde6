import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type Rate = {
  /** Ledger units per part or message. */
  price: number
  /** Whether acceptance by the provider or delivery is charged. */
  billableOn: 'sent' | 'delivered'
  /** First day of the rate card. */
  asOf: Date
}

export type RateQuery = { organizationId: string; channel: Channel; category: string; country: string }

/**
 * The current price of a part: from the organisation's own card, else the nearest ancestor's. The newest valid card applies;
 * an exact category or country beats '*', category first.
 */
export async function findRate(
  db: Db,
  { organizationId, channel, category, country }: RateQuery,
): Promise<Rate | undefined> {
  const { rows } = await sql<{ price: number; billable_on: 'sent' | 'delivered'; valid_from: Date }>`
    select price, billable_on, valid_from from find_rate(${organizationId}::uuid, ${channel}, ${category}, ${country})`.execute(
    db,
  )
  const rate = rows[0]
  return rate && { price: rate.price, billableOn: rate.billable_on, asOf: rate.valid_from }
}
