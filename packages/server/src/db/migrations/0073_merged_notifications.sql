-- Events since the notification was last read, if it stands for several.
alter table notifications add column count int not null default 1 check (count > 0);

-- Entries with `merges` replace the notification of the same event key and are new again; they get another id, so that a
-- browser that marks the previous one as read does not mark events it has not shown. Only the others are mailed.
create or replace function add_notifications(entries jsonb) returns void language sql security definer set search_path = public
  begin atomic
    with given as (
      select entry.*, account.name, account.email, account.status, account.preferences
      from rows from (
        jsonb_to_recordset(entries) as (organization_id uuid, id uuid, account_id uuid, kind text, title text, description text,
          link jsonb, event_key text, mail_preference text, mail_default boolean, merges boolean, count int)
      ) with ordinality entry (organization_id, id, account_id, kind, title, description, link, event_key, mail_preference,
        mail_default, merges, count, position)
      join accounts account on account.organization_id = entry.organization_id and account.id = entry.account_id
      where app_scope() is null or account.path @> app_scope() or account.path <@ app_scope() or account.organization_id = app_organization()
    ), added as (
      insert into notifications (organization_id, id, account_id, kind, title, description, link, event_key)
      select organization_id, id, account_id, kind, title, description, link, event_key from given
      where merges is not true
      on conflict do nothing
      returning organization_id, id
    ), latest as (
      select distinct on (organization_id, account_id, event_key) given.*,
        sum(coalesce(count, 1)) over (partition by organization_id, account_id, event_key)::int as total
      from given where merges
      order by organization_id, account_id, event_key, position desc
    ), merged as (
      insert into notifications as known (organization_id, id, account_id, kind, title, description, link, event_key, count)
      select organization_id, id, account_id, kind, title, description, link, event_key, total from latest
      order by organization_id, account_id, event_key
      on conflict (organization_id, account_id, event_key) do update set
        id = excluded.id, kind = excluded.kind, title = excluded.title, description = excluded.description,
        link = excluded.link, created_at = excluded.created_at, read_at = null,
        count = excluded.count + case when known.read_at is null then known.count else 0 end
      returning organization_id, id
    ), announced as (
      insert into domain_events (organization_id, type, subject_ids)
      select organization_id, 'notification.added', array_agg(id)
      from (select * from added union all select * from merged) changed group by organization_id
    ), mailed as (
      insert into mails (organization_id, id, recipient, subject, body, link)
      select given.organization_id, gen_random_uuid(), given.email, given.title,
        format(E'Hello %s,\n\n%s\n\nSign in to see it. Which mails you get is set under Settings, Notifications.', given.name, given.description),
        '/'
      from added join given on given.id = added.id
      where coalesce((given.preferences ->> given.mail_preference)::boolean, given.mail_default, false)
        and given.status in ('active', 'suspended')
      returning organization_id, id
    )
    select enqueue_job('mails.deliver', json_build_object('organizationId', organization_id, 'id', id)) from mailed;
  end;
