import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Reach } from '../../db/reach.ts'
import { Problem } from '../../lib/problem.ts'
import type { Rate } from './find-rate.ts'

export type ListedRate = Rate & { channel: Channel; category: string; country: string }

export type RatesQuery = {
  reach: Reach
  /** An account within reach; without, the asking organisation's own prices. */
  accountId?: string | undefined
  channel?: Channel | undefined
}

/** The prices in force for an account: what `findRate` would answer for each category and country that has one. */
export async function listRates(db: Db, { reach, accountId, channel }: RatesQuery): Promise<ListedRate[]> {
  const organizationId = accountId ? await organizationOf(db, { reach, accountId }) : reach.organizationId
  const { rows } = await sql<RateRow>`
    select channel, category, country, price, billable_on, valid_from from list_rates(${organizationId}::uuid)
    where ${channel ?? null}::text is null or channel = ${channel ?? null}`.execute(db)
  return rows.map(({ billable_on, valid_from, ...rate }) => ({ ...rate, billableOn: billable_on, asOf: valid_from }))
}

type RateRow = {
  channel: Channel
  category: string
  country: string
  price: number
  billable_on: Rate['billableOn']
  valid_from: Date
}

async function organizationOf(db: Db, { reach, accountId }: { reach: Reach; accountId: string }): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('organization_id')
    .where('id', '=', accountId)
    .where(within(reach))
    .executeTakeFirst()
  if (!account) throw new Problem('not_found', 'User not found')
  return account.organization_id
}
