-- Figures of dashboards over a part of the account tree. As usage_of, these functions check the caller's scope for accounts and campaigns
-- instead of each row of figures: the policies of the tables call a function for each row of another organization.

-- Messages of campaigns under way that are not sent yet, by the campaign's channel; of the asked accounts and all below them. A recipient
-- that failed over counts once, by the better message.
create function pending_messages(asked uuid[]) returns table (channel channel, pending bigint)
language sql stable security definer set search_path = public
  begin atomic
    select campaign.channel, sum(greatest(0, campaign.total - counted.people))::bigint
    from campaigns campaign
    cross join lateral (
      select coalesce(sum(people), 0) as people from (
        select sent + delivered + read + failed + skipped + unknown + unconfirmed as people from counters
        where organization_id = campaign.organization_id and campaign_id = campaign.id
        union all
        select sent + delivered + read + failed + skipped + unknown + unconfirmed from counter_deltas
        where organization_id = campaign.organization_id and campaign_id = campaign.id
        union all
        select -entries from (
          select before, after, entries from failover_counts where organization_id = campaign.organization_id and campaign_id = campaign.id
          union all
          select before, after, entries from failover_deltas where organization_id = campaign.organization_id and campaign_id = campaign.id
        ) moves
        where case when before in ('delivered', 'read') then least(before, after) else before end not in ('queued', 'cancelled')
      ) figures
    ) counted
    where campaign.status in ('queued', 'running', 'paused') and campaign.path <@ app_scope() and exists (
      select from accounts creator join accounts root on creator.path <@ root.path
      where creator.organization_id = campaign.organization_id and creator.id = campaign.created_by
        and root.id = any (asked) and root.path <@ app_scope())
    group by campaign.channel;
  end;

-- Campaigns in the caller's scope that began after a time and of whose recipients more than this share failed, of those that were sent to
-- or tried. Fewer than 20 say nothing. A recipient that failed over counts by the better message.
create function failing_campaigns(over_share float8, since timestamptz)
returns table (organization_id uuid, id uuid, name text, failed_share float8)
language sql stable security definer set search_path = public
  begin atomic
    with recent as (
      select campaign.organization_id, campaign.id, campaign.name from campaigns campaign
      where campaign.path <@ app_scope() and not campaign.is_test and campaign.started_at > since
    ), figures as (
      select recent.organization_id, recent.id, sent + delivered + read + failed + unknown + unconfirmed as tried, failed
      from recent join counters on counters.organization_id = recent.organization_id and counters.campaign_id = recent.id
      union all
      select recent.organization_id, recent.id, sent + delivered + read + failed + unknown + unconfirmed, failed
      from recent join counter_deltas on counter_deltas.organization_id = recent.organization_id and counter_deltas.campaign_id = recent.id
      union all
      select moved.organization_id, moved.id, -entries, case when outranked = 'failed' then -entries else 0 end
      from (
        select recent.organization_id, recent.id, entries,
          case when before in ('delivered', 'read') then least(before, after) else before end as outranked
        from recent
        join (
          select failover_counts.organization_id, campaign_id, before, after, entries from failover_counts
          union all
          select failover_deltas.organization_id, campaign_id, before, after, entries from failover_deltas
        ) moves on moves.organization_id = recent.organization_id and moves.campaign_id = recent.id
      ) moved
      where outranked in ('sent', 'delivered', 'read', 'failed', 'unknown', 'unconfirmed')
    ), shares as (
      select figures.organization_id, figures.id, sum(failed)::float8 / nullif(sum(tried), 0) as share
      from figures group by 1, 2 having sum(tried) >= 20
    )
    select recent.organization_id, recent.id, recent.name, shares.share
    from shares join recent on recent.organization_id = shares.organization_id and recent.id = shares.id
    where shares.share > over_share;
  end;

-- Accounts below one in the caller's scope, and those of them that sent something in the last seven days.
create function count_accounts_below(account uuid, now timestamptz) returns table (accounts bigint, active bigint)
language sql stable security definer set search_path = public
  begin atomic
    select count(*), count(*) filter (where exists (
      select from daily_counters daily where daily.organization_id = below.organization_id and daily.account_id = below.id
        and daily.day > local_day(now, below.timezone) - 7 and daily.submitted > 0))
    from accounts above join accounts below on below.path <@ above.path and below.id <> above.id and below.status <> 'closed'
    where above.id = account and above.path <@ app_scope();
  end;

revoke all on function pending_messages, failing_campaigns, count_accounts_below from public;
grant execute on function pending_messages, failing_campaigns, count_accounts_below to carillon_app;
