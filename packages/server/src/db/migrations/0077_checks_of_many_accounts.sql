-- Checks of all accounts that have open sockets, every two seconds. The accounts above are found by their exact paths, which is many
-- times faster than `@>` for each account.

-- Those who may be signed in: no account is locked or closed, neither their own nor one above.
create function accounts_in_force(ids uuid[]) returns setof uuid language sql stable security definer set search_path = public
begin atomic
  select account.id from accounts account
  where account.id = any(ids) and account.status in ('active', 'suspended') and not exists (
    select from generate_series(1, nlevel(account.path) - 1) as level
    join accounts above on above.path = subpath(account.path, 0, level)
    where above.status not in ('active', 'suspended', 'pending'));
end;

-- Members who have a module, as `effective_modules` says: they and every member above them hold it.
create function accounts_with_module(ids uuid[], wanted text) returns setof uuid language sql stable security definer set search_path = public
begin atomic
  with holders as materialized (
    select account.id, holder.organization_id, holder.id as holder_id
    from accounts account
    cross join generate_series(1, nlevel(account.path)) as level
    join accounts holder on holder.path = subpath(account.path, 0, level) and holder.role not in ('admin', 'reseller')
    where account.id = any(ids) and account.role not in ('admin', 'reseller')
  )
  select holders.id from holders
  left join account_modules held on held.organization_id = holders.organization_id and held.account_id = holders.holder_id and held.module = wanted
  group by holders.id having bool_and(held.module is not null);
end;

revoke all on function accounts_in_force, accounts_with_module from public;
grant execute on function accounts_in_force, accounts_with_module to carillon_system;
