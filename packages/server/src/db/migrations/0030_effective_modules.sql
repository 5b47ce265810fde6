-- The modules that an account may use: its own that everybody above it in its organisation has as well. Taking a module
-- away above hides it below; giving it back shows it again. Admins and resellers use every module and hide none.
create function effective_modules(account uuid) returns text[] language sql stable security definer set search_path = public
  return (
    select coalesce(array_agg(own.module order by own.module), '{}')
    from accounts asked
    join account_modules own on own.organization_id = asked.organization_id and own.account_id = asked.id
    where asked.id = account and not exists (
      select from accounts above
      where above.path @> asked.path and above.id <> asked.id and above.role not in ('admin', 'reseller')
        and not exists (select from account_modules held
          where held.organization_id = above.organization_id and held.account_id = above.id and held.module = own.module)));

-- How many open accounts below use each module now: who is affected when it is taken away.
create function module_users_below(asked uuid) returns table (module text, users bigint)
language sql stable security definer set search_path = public
  begin atomic
    select used.module, count(*)
    from accounts account
    join accounts below on below.path <@ account.path and below.id <> account.id and below.status <> 'closed'
      and below.role not in ('admin', 'reseller')
    cross join lateral unnest(effective_modules(below.id)) as used(module)
    where account.id = asked and account.path <@ app_scope()
    group by used.module;
  end;
