-- The day it is then in a zone, and the instant at which a day begins there. Every figure by day uses these.
create function local_day(at timestamptz, zone text) returns date language sql immutable parallel safe
  return (at at time zone zone)::date;
create function day_start(day date, zone text) returns timestamptz language sql immutable parallel safe
  return day::timestamp at time zone zone;

-- As before, but an entry bears the time at which its accounts were locked, not that at which its transaction began: the
-- entries of an account stand in the order in which they changed its balance, and a new one always comes last.
create or replace function post_entry(organization uuid, key text, entry_kind text, debit uuid, credit uuid, units bigint, note text)
returns boolean language plpgsql as $$
begin
  if units <= 0 then return false; end if;
  perform from ledger_accounts where organization_id = organization and id in (debit, credit) order by kind = 'clearing', kind, id for update;
  insert into ledger_entries (organization_id, id, debit_account, credit_account, amount, op_key, kind, reference, at)
    values (organization, gen_random_uuid(), debit, credit, units, key, entry_kind, note, clock_timestamp())
    on conflict (organization_id, op_key) do nothing;
  if not found then return false; end if;
  update ledger_accounts set posted = posted + case id when credit then units else -units end
    where organization_id = organization and id in (debit, credit);
  return true;
end $$;
