-- The wall behind the queries. carillon_app sees what its settings say; carillon_system (the engine, jobs, sign-in) sees all
-- and is used nowhere else. A test reads the catalogue and fails on a tenant table without a policy.

do $$
declare
  tenant_table text;
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  foreach tenant_table in array array[
    'account_modules', 'sessions', 'socket_tickets', 'audit_log', 'audit_heads', 'idempotency_keys',
    'ledger_accounts', 'ledger_entries', 'holds', 'campaign_leg_shares', 'rate_cards', 'rates',
    'channel_flags', 'provider_accounts', 'senders', 'lanes', 'templates', 'template_events', 'opt_outs', 'inbound_messages',
    'files', 'recipients', 'campaign_legs', 'campaign_events',
    'chunks', 'retries', 'messages', 'message_parts', 'early_reports', 'provider_events',
    'counter_deltas', 'counters', 'counter_points', 'daily_counters'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %1$I to carillon_app using (%2$s) with check (%2$s)', tenant_table, sees);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;

  -- Rows that belong to one account of the organisation are also bound to the asking account's subtree.
  foreach tenant_table in array array['audiences', 'campaigns', 'express_messages', 'single_sends', 'accounts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to carillon_app using (path <@ app_scope()) with check (path <@ app_scope())', tenant_table);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', tenant_table);
    execute format('create policy owner on %I to %I using (true) with check (true)', tenant_table, current_user);
  end loop;
end $$;

-- COPY refuses a table whose policies bind the loading role, so the owner, who loads audiences, is not bound here.
alter table recipients no force row level security;

-- Append-only: no one but the owner can change history.
revoke update, delete on ledger_entries, audit_log, audit_heads, template_events, campaign_events, provider_events from carillon_app, carillon_system;
revoke insert on audit_log, audit_heads from carillon_app, carillon_system;
revoke insert, update, delete on rates, rate_cards, login_attempts, system_state from carillon_app;
revoke select, insert, update, delete on campaign_leg_shares from carillon_app;
grant update, delete on provider_events to carillon_system;
grant select, insert, update, delete on login_attempts, system_state to carillon_system;
revoke select on login_attempts, system_state from carillon_app;

-- A member sees its organisation's name although the organisation's row lies above its own subtree.
create function organization_name(organization uuid) returns text language sql stable security definer set search_path = public
  return (select name from accounts where id = organization and (id = app_organization() or path <@ app_scope()));

-- The price of a part: the organisation's own card, else the nearest ancestor's, which lies above what it may read itself.
create function find_rate(organization uuid, wanted_channel text, wanted_category text, wanted_country text)
returns table (price bigint, billable_on text, valid_from timestamptz)
language sql stable security definer set search_path = public
  begin atomic
    select rates.price, rates.billable_on, card.valid_from
    from accounts own
    join accounts above on own.path <@ above.path
    join rate_cards card on card.organization_id = above.id and card.valid_from <= now()
    join rates on rates.organization_id = card.organization_id and rates.rate_card_id = card.id
      and channel = wanted_channel and category in (wanted_category, '*') and country in (wanted_country, '*')
    where own.id = organization
    order by nlevel(above.path) desc, card.valid_from desc, card.created_at desc, category = '*', country = '*'
    limit 1;
  end;

-- What find_rate chooses for every category and country that any price above names, alone and together.
create function list_rates(organization uuid)
returns table (channel text, category text, country text, price bigint, billable_on text, valid_from timestamptz, is_own boolean)
language sql stable security definer set search_path = public
  begin atomic
    with offered as (
      select rates.channel, rates.category, rates.country, rates.price, rates.billable_on, card.valid_from, card.created_at, nlevel(above.path) as nearness
      from accounts own
      join accounts above on own.path <@ above.path
      join rate_cards card on card.organization_id = above.id and card.valid_from <= now()
      join rates on rates.organization_id = card.organization_id and rates.rate_card_id = card.id
      where own.id = organization and (own.id = app_organization() or own.path <@ app_scope())
    ), wanted as (
      select distinct named.channel, named.category, place.country
      from offered named join offered place on place.channel = named.channel
    )
    select distinct on (wanted.channel, wanted.category, wanted.country)
      wanted.channel, wanted.category, wanted.country, offered.price, offered.billable_on, offered.valid_from,
      -- Whether the price was set for just this category and country.
      offered.category = wanted.category and offered.country = wanted.country
    from wanted join offered on offered.channel = wanted.channel
      and offered.category in (wanted.category, '*') and offered.country in (wanted.country, '*')
    order by wanted.channel, wanted.category, wanted.country,
      nearness desc, offered.valid_from desc, offered.created_at desc, offered.category = '*', offered.country = '*';
  end;
