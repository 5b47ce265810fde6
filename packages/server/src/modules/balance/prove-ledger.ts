import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../db/pool.ts'
import { conflict, type Problem } from '../../lib/problem.ts'

export type Breach = {
  /** Undefined if it concerns no single organisation. */ organizationId: string | null
  breach: string
}

/**
 * Invariants cheap enough to check every minute: an account that changed since its last proof equals the proof plus later
 * entries; held amounts equal open holds; all accounts sum to zero.
 */
export async function findBreaches(pool: pg.Pool): Promise<Breach[]> {
  const { rows } = await pool.query<Breach>(`
    select organization_id as "organizationId", format('The accounts sum up to %s, not 0', sum(posted)) as breach
    from ledger_accounts group by organization_id having sum(posted) <> 0
    union all
    select null, format('The clearing accounts sum up to %s, not 0', sum(posted))
    from ledger_accounts where kind = 'clearing' having sum(posted) <> 0
    union all
    select organization_id, format('Account %s (%s) has balance %s, its entries sum up to %s', id, kind, posted, proved + entered)
    from ledger_accounts account, lateral (${enteredSince}) entries
    where posted <> proved and posted <> proved + entered
    union all
    select organization_id, format('Account %s has %s on hold, its open holds sum up to %s', id, held, open)
    from ledger_accounts account, lateral (
      select coalesce(sum(amount - captured), 0) as open from holds
      where organization_id = account.organization_id and ledger_account = account.id and released_at is null
    ) held_for
    where kind = 'balance' and held <> open`)
  return rows
}

const enteredSince = `
  select coalesce(sum(case when credit_account = account.id then amount else -amount end), 0) as entered from (
    select credit_account, amount from ledger_entries
    where organization_id = account.organization_id and debit_account = account.id and at > account.proved_at
    union all
    select credit_account, amount from ledger_entries
    where organization_id = account.organization_id and credit_account = account.id and at > account.proved_at
  ) since`

/**
 * Advances the starting point of later proofs. Entries have the start time of their transaction, so the last minutes, in
 * which one may still commit, are left out.
 */
export async function moveProof(pool: pg.Pool): Promise<void> {
  await pool.query(`
    with proof as (
      select organization_id, id, now() - interval '15 minutes' as until, (
        select coalesce(sum(case when credit_account = account.id then amount else -amount end), 0) from ledger_entries
        where organization_id = account.organization_id and account.id in (debit_account, credit_account)
          and at > account.proved_at and at <= now() - interval '15 minutes') as entered
      from ledger_accounts account
      where posted <> proved
    )
    update ledger_accounts account set proved = proved + entered, proved_at = until
    from proof
    where account.organization_id = proof.organization_id and account.id = proof.id and entered <> 0`)
}

/** Blocks new holds in these organisations until an operator has investigated and cleared frozen_at. */
export async function freezeLedger(pool: pg.Pool, organizationIds: readonly string[]): Promise<void> {
  await pool.query(
    `update ledger_accounts set frozen_at = now() where organization_id = any($1::uuid[]) and kind = 'balance' and frozen_at is null`,
    [organizationIds],
  )
}

export async function assertLedgerSound(db: Db, organizationId: string): Promise<void> {
  const { rows } = await sql`
    select from ledger_accounts where organization_id = ${organizationId}::uuid and frozen_at is not null limit 1`.execute(
    db,
  )
  if (rows.length > 0) throw ledgerFrozen()
}

export function ledgerFrozen(): Problem {
  return conflict('Sending is stopped while the balance of this account is checked: contact your account manager')
}
