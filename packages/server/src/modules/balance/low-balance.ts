import type pg from 'pg'

/** The specification's threshold, in ledger units. */
const lowUnits = 1000 * 10_000

/** Notifies an account once each time its balance falls below the threshold; new accounts start below it and are not notified. */
export async function notifyLowBalances(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with fallen as (
      update ledger_accounts ledger set low_since = now()
      from accounts account
      where account.organization_id = ledger.organization_id and account.id = ledger.account_id and account.role <> 'admin'
        and ledger.kind = 'balance' and closed_at is null and low_since is null and posted - held < $1::bigint
      returning ledger.organization_id, ledger.account_id, posted - held as available
    ), risen as (
      update ledger_accounts set low_since = null where kind = 'balance' and low_since is not null and posted - held >= $1::bigint
    )
    select (select count(publish_event(organization_id, 'balance.low', array[account_id], jsonb_build_object('available', available))) from fallen),
    add_notifications(jsonb_agg(jsonb_build_object(
      'organization_id', organization_id, 'id', gen_random_uuid(), 'account_id', account_id, 'kind', 'balance_low',
      'title', 'Your balance is low',
      'description', '₹' || to_char(available / 10000.0, 'FM99,990.00') || ' left. Request a top-up to keep sending.',
      'link', jsonb_build_object('type', 'balance', 'id', account_id),
      'event_key', 'balance_low:' || account_id || ':' || now())))
    from fallen having count(*) > 0`,
    [lowUnits],
  )
}
