import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import { Problem } from '../../lib/problem.ts'
import type { Rate } from './find-rate.ts'

export type ListedRate = Rate & { channel: Channel; category: string; country: string }

export type RatesQuery = {
  scope: Scope
  /** An account in scope; absent: the caller's organisation. */
  accountId?: string | undefined
  channel?: Channel | undefined
}

/**
 * The current prices of an account. Looking one up by category and country, then category, then country, then neither, gives
 * the result of `findRate`.
 */
export async function listRates(db: Db, { scope, accountId, channel }: RatesQuery): Promise<ListedRate[]> {
  const organizationId = accountId ? await organizationOf(db, { scope, accountId }) : scope.organizationId
  const { rows } = await sql<RateRow>`
    select channel, category, country, price, billable_on as "billableOn", valid_from as "asOf", is_own as "isOwn"
    from list_rates(${organizationId}::uuid)
    where ${channel ?? null}::text is null or channel = ${channel ?? null}
    order by channel, category = '*', category, country = '*', country`.execute(db)
  const own = new Map(rows.filter(({ isOwn }) => isOwn).map((row) => [keyOf(row), row]))
  return rows.filter((row) => row.isOwn || !isSame(row, lookUp(own, row)))
}

type RateRow = ListedRate & { isOwn: boolean }

const keyOf = ({ channel, category, country }: Pick<ListedRate, 'channel' | 'category' | 'country'>) =>
  `${channel} ${category} ${country}`

function lookUp(listed: ReadonlyMap<string, RateRow>, rate: RateRow): RateRow | undefined {
  const { channel } = rate
  return (
    listed.get(keyOf({ channel, category: rate.category, country: '*' })) ??
    listed.get(keyOf({ channel, category: '*', country: rate.country })) ??
    listed.get(keyOf({ channel, category: '*', country: '*' }))
  )
}

function isSame(one: RateRow, other: RateRow | undefined): boolean {
  return one.price === other?.price && one.billableOn === other.billableOn && Number(one.asOf) === Number(other.asOf)
}

async function organizationOf(db: Db, { scope, accountId }: { scope: Scope; accountId: string }): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('organization_id')
    .where('id', '=', accountId)
    .where(within(scope))
    .executeTakeFirst()
  if (!account) throw new Problem('not_found', 'User not found')
  return account.organization_id
}
