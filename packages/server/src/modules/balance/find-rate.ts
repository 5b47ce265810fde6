import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

export type Rate = {
  /** Ledger units for one part (SMS) or message. */
  price: number
  /** Whether the provider's acceptance or the delivery is paid for. */
  billableOn: 'sent' | 'delivered'
  /** Since when the card that says so is valid. */
  asOf: Date
}

export type RateQuery = { organizationId: string; channel: Channel; category: string; country: string }

/**
 * What a part costs now: from the organisation's own card, else the nearest ancestor's. Of several valid cards the newest
 * counts; an exact category or country beats '*', category first.
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
