-- Tables, columns and functions get the terms of the glossary: priority messages, watermark, account status.
alter table express_messages rename to priority_messages;
alter table priority_messages rename constraint express_messages_pkey to priority_messages_pkey;
alter table priority_messages rename constraint express_messages_kind_check to priority_messages_kind_check;
alter table chunks rename column mark to watermark;

alter function account_standing(ltree) rename to account_status_of;
alter function change_standing(ltree) rename to lock_account_status;
alter function hold_standing(ltree) rename to hold_account_status;

-- The status that an account has through itself and everyone above it, which stays so until the transaction ends.
create or replace function hold_account_status(account_path ltree) returns account_status language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('standing:' || label, 0)) from unnest(string_to_array(account_path::text, '.')) as label;
  return account_status_of(account_path);
end $$;

create or replace function pause_sending(reason text) returns boolean language plpgsql as $$
begin
  update installation set paused_at = now(), pause_reason = reason where paused_at is null;
  if not found then return false; end if;
  update lanes set owner = null, lease_until = null, epoch = epoch + 1000000, after_restore = true;
  -- Single messages leave within seconds, so those that wait in the copy were probably sent: they end as unknown.
  update priority_messages set submitting_epoch = 0 where submitting_epoch is null;
  insert into restored_campaigns (organization_id, campaign_id)
  select organization_id, id from campaigns where status in ('scheduled', 'queued', 'running', 'paused')
  on conflict do nothing;
  return true;
end $$;

create or replace function settle_paths(subtree ltree) returns void language plpgsql security definer set search_path = public as $$
declare
  owned record;
begin
  for owned in select * from (values
    ('campaigns', 'created_by'), ('audiences', 'created_by'), ('invitations', 'created_by'), ('priority_messages', 'account_id'),
    ('single_sends', 'account_id'), ('topup_requests', 'account_id'), ('support_requests', 'account_id')) as t (name, owner)
  loop
    execute format('update %1$I moved set path = account.path from accounts account
      where account.path <@ $1 and moved.organization_id = account.organization_id and moved.%2$I = account.id
        and moved.path <> account.path', owned.name, owned.owner) using subtree;
  end loop;
  -- An answerer who is no longer above the account is replaced by the one who now is.
  update support_requests request set answerer_id = next_answerer(request.path), put_to = array_remove(array[next_answerer(request.path)], null)
  where request.path <@ subtree and request.answerer_id is not null
    and not exists (select from accounts above where above.id = request.answerer_id and above.path @> request.path);
end $$;
