-- The tree of accounts at work: what may be used of a limit, who is where, names that are taken. These functions run as the
-- owner, because limits and names reach beyond what the asking account sees; none of them answers more than it is asked for.

-- How many base units make one of a limit's: bytes of a megabyte, ledger units of a rupee.
create function limit_unit(limit_key text) returns bigint language sql immutable parallel safe
  return case limit_key when 'storage_mb' then 1048576 when 'spend_per_day' then 10000 else 1 end;

-- What stands against a limit now, for an account and everyone below it, in base units. What a single campaign may have
-- does not add up.
create function limit_used(limit_key text, account_path ltree, zone text) returns bigint
language plpgsql stable security definer set search_path = public as $$
declare
  since timestamptz := date_trunc(case when limit_key = 'messages_per_month' then 'month' else 'day' end, now() at time zone zone) at time zone zone;
begin
  case limit_key
  when 'users' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path
      and role in ('user', 'department_head') and organization_id <> id and status <> 'closed');
  when 'sub_accounts' then
    return (select count(*) from accounts where path <@ account_path and path <> account_path and organization_id = id and status <> 'closed');
  when 'sms_accounts' then
    return (select count(*) from senders join accounts owner on owner.id = senders.created_by
      where owner.path <@ account_path and senders.channel = 'sms');
  when 'templates' then
    return (select count(*) from templates join accounts owner on owner.id = templates.created_by where owner.path <@ account_path);
  when 'campaigns_running' then
    return (select count(*) from campaigns where path <@ account_path and status in ('queued', 'running', 'paused'));
  when 'messages_per_day', 'messages_per_month' then
    return (select coalesce(sum(total), 0) from campaigns where path <@ account_path and started_at >= since)
      + (select count(*) from single_sends where path <@ account_path and created_at >= since);
  when 'spend_per_day' then
    return (select coalesce(sum(estimated_cost), 0) from campaigns where path <@ account_path and started_at >= since)
      + (select coalesce(sum(holds.amount), 0) from single_sends
        join holds on holds.organization_id = single_sends.organization_id and holds.id = single_sends.hold_id
        where single_sends.path <@ account_path and single_sends.created_at >= since);
  when 'storage_mb' then
    return (select coalesce(sum(size_bytes), 0) from files join accounts owner on owner.id = files.created_by where owner.path <@ account_path);
  else
    return 0;
  end case;
end $$;

-- The first limit, of the account or of one above it, that does not leave room for what is added; none when there is room.
-- Whoever adds under the same limit waits, so that two cannot both take the last place. Locks are taken from the top down.
create function first_limit_exceeded(account_path ltree, keys text[], adding bigint[])
returns table (limit_key text, allowed bigint) language plpgsql security definer set search_path = public as $$
declare
  bound record;
begin
  for bound in
    select account_limits.key, account_limits.value, account.id, account.path, account.timezone, wanted.adding
    from unnest(keys, adding) as wanted (key, adding)
    join accounts account on account.path @> account_path
    join account_limits on account_limits.organization_id = account.organization_id
      and account_limits.account_id = account.id and account_limits.key = wanted.key
    where account_limits.value is not null
    order by nlevel(account.path), wanted.key
  loop
    perform pg_advisory_xact_lock(hashtextextended(bound.id || bound.key, 0));
    if limit_used(bound.key, bound.path, bound.timezone) + bound.adding > bound.value * limit_unit(bound.key) then
      return query select bound.key, bound.value;
      return;
    end if;
  end loop;
end $$;

-- The limits of an account within reach: its own, the strictest above it, and what is used of them.
create function limits_of(account uuid, keys text[])
returns table (key text, own bigint, above bigint, used numeric) language sql stable security definer set search_path = public
  begin atomic
    select wanted.key,
      (select value from account_limits where organization_id = asked.organization_id and account_id = asked.id and key = wanted.key),
      (select min(value) from account_limits limits join accounts higher on higher.id = limits.account_id
        where higher.path @> asked.path and higher.id <> asked.id and limits.key = wanted.key),
      round(limit_used(wanted.key, asked.path, asked.timezone)::numeric / limit_unit(wanted.key), 2)
    from accounts asked, unnest(keys) with ordinality as wanted (key, place)
    where asked.id = account and asked.path <@ app_scope()
    order by wanted.place;
  end;

-- The standing of an account, kept as it is until the transaction ends: whoever changes the status of one of these accounts
-- waits for what is being sent on the strength of it, and the other way round. Ask before anything else is locked.
create function hold_standing(account_path ltree) returns account_status language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('standing:' || label, 0)) from unnest(string_to_array(account_path::text, '.')) as label;
  return account_standing(account_path);
end $$;
create function change_standing(account_path ltree) returns void language sql
  begin atomic
    select pg_advisory_xact_lock(hashtextextended('standing:' || subpath(account_path, -1)::text, 0));
  end;

-- Which of these is somebody's already, anywhere: a login is unique across organisations.
create function names_taken(wanted_username citext, wanted_email citext) returns table (username boolean, email boolean)
language sql stable security definer set search_path = public
  return row(
    exists (select from accounts where accounts.username = wanted_username or accounts.email = wanted_username),
    exists (select from accounts where accounts.email = wanted_email or accounts.username = wanted_email));

-- What a list shows of accounts beside their own rows.
create function account_figures(asked uuid[])
returns table (account_id uuid, account_count bigint, spent bigint, channels jsonb) language sql stable security definer set search_path = public
  begin atomic
    select account.id,
      (select count(*) from accounts below where below.path <@ account.path and below.id <> account.id and below.status <> 'closed'),
      (select coalesce(sum(cost - refunded), 0) from accounts below
        join daily_counters daily on daily.organization_id = below.organization_id and daily.account_id = below.id
        where below.path <@ account.path and daily.day > current_date - 7),
      case when account.role in ('admin', 'reseller') then '{}'::jsonb
        else '{"sms": true}'::jsonb || coalesce((select flags from channel_flags where organization_id = account.organization_id), '{}'::jsonb) end
    from accounts account
    where account.id = any (asked) and account.path <@ app_scope();
  end;

-- A link that sets a password, for an account within reach; whoever asks cannot read what is kept.
create function add_password_link(account uuid, hash bytea, valid_until timestamptz) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  insert into password_resets (organization_id, id, account_id, token_hash, password_version, expires_at)
    select organization_id, gen_random_uuid(), id, hash, password_version, valid_until
    from accounts where id = account and (app_scope() is null or path <@ app_scope());
  return found;
end $$;

-- Rows that carry the path of the account they belong to follow it. Changes only what differs.
create function settle_paths(subtree ltree) returns void language plpgsql security definer set search_path = public as $$
declare
  owned record;
begin
  for owned in select * from (values
    ('campaigns', 'created_by'), ('audiences', 'created_by'), ('invitations', 'created_by'), ('express_messages', 'account_id'),
    ('single_sends', 'account_id'), ('topup_requests', 'account_id'), ('support_requests', 'account_id')) as t (name, owner)
  loop
    execute format('update %1$I moved set path = account.path from accounts account
      where account.path <@ $1 and moved.organization_id = account.organization_id and moved.%2$I = account.id
        and moved.path <> account.path', owned.name, owned.owner) using subtree;
  end loop;
  -- Whoever answered is no longer above: the one who is now takes over.
  update support_requests asked set answerer_id = next_answerer(asked.path), put_to = array_remove(array[next_answerer(asked.path)], null)
  where asked.path <@ subtree and asked.answerer_id is not null
    and not exists (select from accounts above where above.id = asked.answerer_id and above.path @> asked.path);
end $$;

-- Places an account, with everyone below it, under another. Both must lie in the asking account's reach, and the account
-- keeps its organisation. One move at a time: two at once could make a ring.
create function move_account(account uuid, new_parent uuid) returns ltree language plpgsql security definer set search_path = public as $$
declare
  moved accounts;
  parent accounts;
begin
  perform pg_advisory_xact_lock(hashtext('accounts.move'));
  select * into moved from accounts where id = account for update;
  select * into parent from accounts where id = new_parent for share;
  if moved.id is null or parent.id is null or app_scope() is null
    or not (moved.path <@ app_scope() and moved.path <> app_scope() and parent.path <@ app_scope()) or parent.path <@ moved.path
    or (moved.organization_id <> moved.id and parent.organization_id <> moved.organization_id)
  then
    return null;
  end if;
  update accounts set parent_id = new_parent where id = account;
  update accounts set path = parent.path || subpath(path, nlevel(moved.path) - 1) where path <@ moved.path;
  perform settle_paths(parent.path || subpath(moved.path, -1));
  return parent.path || subpath(moved.path, -1);
end $$;
