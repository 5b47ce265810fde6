-- Reports of neighbouring messages come together: in one transaction every row of a page is written again, a little wider, and
-- the old rows are still needed. With less than half of the page in use all of them stay on it and no index is written. At 70
-- every second update left its page, which wrote twice the log and left larger tables behind.
create or replace function ensure_partitions(from_day date, to_day date) returns void language plpgsql security definer set search_path = public as $$
declare
  day date;
  parent text;
  options text;
begin
  for day in select generate_series(from_day, to_day, interval '1 day')::date loop
    foreach parent in array array['messages', 'message_parts', 'provider_events', 'domain_events'] loop
      options := case when parent in ('messages', 'message_parts') then ' with (fillfactor = 45)' else '' end;
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)%s',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, day, day + 1, options);
      -- Reached through the parent only, where the policies are.
      execute format('revoke all on %I from carillon_app, carillon_system', parent || '_' || to_char(day, 'YYYYMMDD'));
    end loop;
  end loop;
end $$;

-- For rows that are written from now on.
do $$
declare
  recent text;
begin
  for recent in
    select inhrelid::regclass::text from pg_inherits
    where inhparent in ('messages'::regclass, 'message_parts'::regclass)
      and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') >= current_date - 1
  loop
    execute format('alter table %s set (fillfactor = 45)', recent);
  end loop;
end $$;
