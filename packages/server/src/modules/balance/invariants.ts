import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Checks the ledger's invariants over all organisations; returns a sentence for each violation. */
export async function checkInvariants(db: Db): Promise<string[]> {
  const { rows } = await sql<{ breach: string }>`
    select format('The sum of all accounts is %s, not 0', sum(posted)) as breach from ledger_accounts having sum(posted) <> 0
    union all
    select format('The accounts of organisation %s sum up to %s, not 0', organization_id, sum(posted))
    from ledger_accounts group by organization_id having sum(posted) <> 0
    union all
    select format('The clearing accounts sum up to %s, not 0', sum(posted))
    from ledger_accounts where kind = 'clearing' having sum(posted) <> 0
    union all
    select format('Account %s (%s) has balance %s, its entries sum up to %s', id, kind, posted, entered)
    from ledger_accounts account, lateral (
      select coalesce(sum(case when credit_account = account.id then amount else -amount end), 0) as entered
      from ledger_entries
      where organization_id = account.organization_id and account.id in (debit_account, credit_account)
    ) entries
    where posted <> entered
    union all
    select format('Account %s has %s on hold, its open holds sum up to %s', id, held, open)
    from ledger_accounts account, lateral (
      select coalesce(sum(amount - captured), 0) as open from holds
      where organization_id = account.organization_id and ledger_account = account.id and released_at is null
    ) held_for
    where held <> open
    union all
    select format('Operation %s was booked %s times', op_key, count(*))
    from ledger_entries group by organization_id, op_key having count(*) > 1`.execute(db)
  return rows.map(({ breach }) => breach)
}
