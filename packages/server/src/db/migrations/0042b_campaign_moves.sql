-- How the engine changes campaigns, which belong to the module of campaigns: each function is one thing that it may do.

-- Moves a campaign on, if it is where the move begins (a test compares this with lifecycle/campaign-states.ts), and tells other
-- processes. A pause holds it for the administrator and ends what the present epoch may send.
create function move_campaign(organization uuid, campaign uuid, next campaign_status) returns boolean language plpgsql set search_path = public as $$
begin
  update campaigns set status = next, updated_at = now(),
    started_at = case next when 'running' then coalesce(started_at, now()) else started_at end,
    completed_at = case next when 'completed' then now() else completed_at end,
    paused_at = case next when 'paused' then now() else paused_at end,
    pause_reason = case next when 'paused' then 'admin_hold' else pause_reason end,
    run_epoch = run_epoch + (next = 'paused')::int
  where organization_id = organization and id = campaign
    and (status = 'queued' and next in ('running', 'completed', 'paused') or status = 'running' and next in ('completed', 'paused'));
  if not found then return false; end if;
  insert into domain_events (organization_id, type, subject_ids, payload)
  values (organization, 'campaign.changed', array[campaign], jsonb_build_object('status', next));
  return true;
end $$;
revoke all on function move_campaign from public;
grant execute on function move_campaign to carillon_system;

-- The day that the messages of a campaign are filed under, and when its last part begins: set with its first plan.
create function begin_campaign(organization uuid, campaign uuid, last_part timestamptz) returns void language sql set search_path = public as $$
  update campaigns set created_on = current_date, last_part_at = last_part
  where organization_id = organization and id = campaign and created_on is null
$$;

-- A pause moved the parts that follow.
create function move_last_part(organization uuid, campaign uuid, last_part timestamptz) returns void language sql set search_path = public as $$
  update campaigns set last_part_at = last_part where organization_id = organization and id = campaign
$$;
