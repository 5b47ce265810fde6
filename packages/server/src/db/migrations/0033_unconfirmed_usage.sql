-- What accounts sent and spent by day also says of how many messages the provider's answer was lost: without them the shares
-- of what was sent do not add up. Otherwise as before.
drop function usage_of(uuid[], boolean, date, date);

create function usage_of(asked uuid[], each_alone boolean, first_day date, last_day date)
returns table (
  account_id uuid, is_top boolean, day date, channel channel, submitted bigint, sent bigint, delivered bigint, read bigint,
  failed bigint, unconfirmed bigint, replied bigint, opted_out bigint, cost bigint
) language sql stable security definer set search_path = public
  begin atomic
    select root.id,
      each_alone or not exists (select from accounts higher where higher.id = any (asked) and higher.path @> root.path and higher.id <> root.id),
      daily.day, daily.channel, sum(daily.submitted), sum(daily.sent), sum(daily.delivered), sum(daily.read), sum(daily.failed),
      sum(daily.unknown + daily.unconfirmed), sum(daily.replied), sum(daily.opted_out), sum(daily.cost - daily.refunded)
    from accounts root
    join accounts below on below.path <@ root.path and (not each_alone or below.id = root.id)
    join daily_counters daily on daily.organization_id = below.organization_id and daily.account_id = below.id
      and daily.day between first_day and last_day
    where root.id = any (asked) and root.path <@ app_scope()
    group by root.id, daily.day, daily.channel;
  end;
