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

/** What a price is for. */
type Priced = { channel: Channel; category: string; country: string }

export type RateQuery = Priced & { organizationId: string }

/**
 * The current price of a part: from the organisation's own card, else the nearest ancestor's. The newest valid card applies;
 * an exact category or country beats '*', category first.
 */
export async function findRate(db: Db, { organizationId, ...priced }: RateQuery): Promise<Rate | undefined> {
  const [rate] = await findRates(db, organizationId, [priced])
  return rate
}

type RateRow = { price: number; billable_on: 'sent' | 'delivered'; valid_from: Date }

/** The same for each of these. */
export async function findRates(
  db: Db,
  organizationId: string,
  asked: readonly Priced[],
): Promise<(Rate | undefined)[]> {
  const { rows } = await sql<RateRow | Record<keyof RateRow, null>>`
    select rate.price, rate.billable_on, rate.valid_from
    from unnest(${asked.map(({ channel }) => channel)}::text[], ${asked.map(({ category }) => category)}::text[],
      ${asked.map(({ country }) => country)}::text[]) with ordinality as asked (channel, category, country, place)
    left join lateral find_rate(${organizationId}::uuid, asked.channel, asked.category, asked.country) rate on true
    order by asked.place`.execute(db)
  return rows.map((row) =>
    row.price === null ? undefined : { price: row.price, billableOn: row.billable_on, asOf: row.valid_from },
  )
}
