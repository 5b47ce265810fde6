-- Delivery reports of providers whose message ids come again: matched by sender, number and id, one message each.

-- An operator that counts its ids from 1 again gives the parts of two messages of a day the same id.
alter table message_parts drop constraint message_parts_pkey;
alter table message_parts
  add primary key (organization_id, sender_id, provider_message_id, created_on, campaign_id, seq, leg, part);

alter table early_reports
  -- What else the report says about its message; null for a report whose id names one message alone.
  add column match jsonb,
  -- Two messages may have the same id: their reports are two reports.
  add column match_key text not null default '';
alter table early_reports drop constraint early_reports_pkey;
alter table early_reports add primary key (organization_id, sender_id, provider_message_id, match_key, status);
create index on early_reports (received_at) where match is not null;

-- What was learned about the receipts of an SMS account from those that named their message beyond doubt.
create table receipt_profiles (
  organization_id uuid not null,
  sender_id uuid not null,
  -- How many receipts wrote the id in which way, compared with the answer to the submit; halved now and then, so that a change shows.
  id_votes jsonb not null default '{}',
  -- How many receipts had a clock that many minutes ahead of the account's time zone setting.
  clock_votes jsonb not null default '{}',
  -- Receipts since the beginning: that said which way ids are written, against what was learned, and with a known id but another number.
  id_receipts bigint not null default 0,
  id_conflicts bigint not null default 0,
  other_numbers bigint not null default 0,
  clock_receipts bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (organization_id, sender_id),
  foreign key (organization_id, sender_id) references senders (organization_id, id) on delete cascade
);

-- Sums votes by key. Above 400 all are halved, so that a provider that changes its ways is followed.
create function add_votes(one jsonb, other jsonb) returns jsonb language sql immutable
  begin atomic
    with sums as (
      select key, sum(value::numeric)::bigint as count
      from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) as votes
      group by key
    )
    select coalesce(jsonb_object_agg(key, case when (select sum(count) from sums) > 400 then count / 2 else count end)
      filter (where count > 0), '{}') from sums;
  end;

do $$
declare
  sees constant text := 'organization_id = app_organization() or (app_descend() is not null and app_descends_to(organization_id))';
begin
  alter table receipt_profiles enable row level security;
  alter table receipt_profiles force row level security;
  execute format('create policy tenant on receipt_profiles to carillon_app using (%1$s) with check (%1$s)', sees);
  create policy system on receipt_profiles to carillon_system using (true) with check (true);
  execute format('create policy owner on receipt_profiles to %I using (true) with check (true)', current_user);
end $$;
revoke insert, update, delete on receipt_profiles from carillon_app;
