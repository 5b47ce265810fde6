-- Failed attempts count for 24 hours from the first. Whoever checks a password or a code counts through these functions, in
-- any role; the table itself stays closed to requests.
alter table login_attempts add column first_at timestamptz not null default now();

create function count_failed_attempt(keys text[], at timestamptz, free int[], ceiling int, longest_wait interval) returns void
language sql security definer set search_path = public as $$
  insert into login_attempts as attempt (key, failures, first_at, last_at)
  select key, 1, at, at from unnest(keys) as failed (key) order by key
  on conflict (key) do update set
    failures = case when attempt.first_at < at - interval '24 hours' then 1 else attempt.failures + 1 end,
    first_at = case when attempt.first_at < at - interval '24 hours' then at else attempt.first_at end,
    last_at = at,
    blocked_until = case
      when attempt.first_at < at - interval '24 hours' then null
      when attempt.failures + 1 >= ceiling then attempt.first_at + interval '24 hours'
      when attempt.failures + 1 > free[array_position(keys, attempt.key)]
        then at + least(longest_wait, power(2, least(attempt.failures + 1 - free[array_position(keys, attempt.key)], 20)) * interval '1 second')
    end
$$;

create function attempts_blocked_until(keys text[], at timestamptz) returns timestamptz
language sql stable security definer set search_path = public
  return (select max(blocked_until) from login_attempts where key = any(keys) and blocked_until > at);

create function clear_failed_attempts(cleared text) returns void
language sql security definer set search_path = public as $$
  delete from login_attempts where key = cleared
$$;

-- What the hourly sweep finds by age.
create index on login_attempts (last_at);
create index on socket_tickets (expires_at);
create index on sessions (expires_at);
create index on password_resets (expires_at);
