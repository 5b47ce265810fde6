import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { statementLines, type StatementRange } from './statement.queries.ts'

/** Reason of a change of a reseller's balance. */
export type MarginPart = 'received' | 'given' | 'charged' | 'cost' | 'ownUse' | 'adjustments'

export type MarginRow = {
  part: MarginPart
  /** The account right below the reseller, for messages of it or of anybody below it. */
  customerId: string | null
  customerName: string | null
  /** Exact amount. */
  exact: number
  /** Rounded as in the statement. */
  amount: number
}

/**
 * The lines of a reseller's statement by purpose, and those of messages below by customer. A transfer is from an account
 * below if its other half is there, else from above.
 */
export async function readMargin(db: Db, range: StatementRange): Promise<MarginRow[]> {
  const { account, organizationId, ledgerAccount } = range.money
  if (!ledgerAccount) return []
  const { rows } = await sql<MarginRow>`
    ${statementLines(range)}, sided as (
      select balanced.*,
        case when kind = 'margin' then 'charged'
          when kind in ('usage', 'refund') then case when below is null then 'ownUse' else 'cost' end
          when kind = 'adjustment' then 'adjustments'
          when exists (
            select from accounts lower_one
            join ledger_entries other on other.organization_id = lower_one.id
              and other.op_key = regexp_replace("opKey", ':(in|out)$', '') || case when "opKey" ~ ':in$' then ':out' else ':in' end
            where lower_one.path <@ ${account.path}::ltree and lower_one.id = lower_one.organization_id and lower_one.id <> ${organizationId}::uuid
          ) then 'given'
          else 'received' end as part
      from balanced
    )
    select part, customer.id as "customerId", customer.name as "customerName", sum(sided.exact)::bigint as exact, sum(amount)::bigint as amount
    from sided
    left join accounts sender on sender.id = sided.below
    left join accounts customer on sender.path <@ customer.path and nlevel(customer.path) = nlevel(${account.path}::ltree) + 1
    group by part, customer.id, customer.name`.execute(db)
  return rows
}
