-- What a list shows of accounts beside their own rows. As before, but the last seven days are those of each account's clock.
drop function account_figures(uuid[]);
create function account_figures(asked uuid[], at timestamptz default now())
returns table (account_id uuid, account_count bigint, spent bigint, channels jsonb) language sql stable security definer set search_path = public
  begin atomic
    select account.id,
      (select count(*) from accounts below where below.path <@ account.path and below.id <> account.id and below.status <> 'closed'),
      (select coalesce(sum(cost - refunded), 0) from accounts below
        join daily_counters daily on daily.organization_id = below.organization_id and daily.account_id = below.id
        where below.path <@ account.path and daily.day > local_day(at, below.timezone) - 7),
      case when account.role in ('admin', 'reseller') then '{}'::jsonb
        else '{"sms": true}'::jsonb || coalesce((select flags from channel_flags where organization_id = account.organization_id), '{}'::jsonb) end
    from accounts account
    where account.id = any (asked) and account.path <@ app_scope();
  end;
