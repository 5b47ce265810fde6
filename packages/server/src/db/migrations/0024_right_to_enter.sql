-- Who may enter another account. Every way into an account that is not one's own asks this function.

-- An admin, or a reseller that was given the right, enters accounts strictly below its own. Both must be able to sign in.
create function may_enter(visitor uuid, target uuid) returns boolean language sql stable security definer set search_path = public
  return exists (
    select from accounts above join accounts below on below.path <@ above.path and below.id <> above.id
    where above.id = visitor and below.id = target
      and (above.role = 'admin' or (above.role = 'reseller' and above.may_impersonate))
      and account_standing(above.path) = 'active'
      and account_standing(below.path) in ('active', 'suspended'));

-- A visit is tied to the visitor's own session it was opened from. Visits from before this migration are ended: they last an
-- hour at most, and their opening session is not known.
alter table sessions add opened_from uuid;
update sessions set ended_at = now() where actor_id is not null and ended_at is null;
alter table sessions add constraint sessions_visit_is_tied check (actor_id is null or opened_from is not null or ended_at is not null);

-- Whether a visit still has its right: the visitor may enter the account, and the session it was opened from has not ended.
create function visit_holds(visitor uuid, target uuid, opening_session uuid, asked_at timestamptz) returns boolean
language sql stable security definer set search_path = public
  return may_enter(visitor, target) and exists (
    select from sessions opening join accounts account on account.organization_id = opening.organization_id and account.id = opening.account_id
    where account.id = visitor and opening.id = opening_session and opening.ended_at is null and opening.expires_at > asked_at);
