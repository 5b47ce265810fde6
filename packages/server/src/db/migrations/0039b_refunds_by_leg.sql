-- What is given back is booked by leg of a campaign, so that an invoice can count its messages by their price.

-- As before, but each leg has a refund of its own. What was earned is given back by campaign, once all refunds are in.
create or replace function pass_back(organization uuid, campaigns uuid[], legs smallint[], refunded bigint[], key text) returns void
language plpgsql as $$
declare
  share record;
  balance uuid;
  clearing uuid;
  from_balance bigint;
begin
  for share in
    select level, ancestor, child, key || ':' || campaign as key, organization || ':' || campaign as note,
      sum(leg_paid)::bigint as paid, array_agg(leg order by leg) as legs, array_agg(leg_owed order by leg) as owed
    from (
      select level, ancestor_id as ancestor, child_id as child, campaign_id as campaign, shares.leg,
        sum(unit.refunded / payer_price * child_price)::bigint as leg_paid, sum(unit.refunded / payer_price * price)::bigint as leg_owed
      from unnest(campaigns, legs, refunded) as unit (campaign, leg, refunded)
      join campaign_leg_shares shares
        on shares.organization_id = organization and shares.campaign_id = unit.campaign and shares.leg = unit.leg
      where unit.refunded > 0
      group by level, ancestor_id, child_id, campaign_id, shares.leg
    ) leg_share
    group by level, ancestor, child, campaign
    order by level, ancestor, campaign
  loop
    perform post_entry(share.child, share.key || ':back', 'passed_back', ledger_account_of(share.child, share.child, 'clearing'),
      ledger_account_of(share.child, share.child, 'spent'), share.paid, share.note);
    balance := ledger_account_of(share.ancestor, share.ancestor, 'balance');
    clearing := ledger_account_of(share.ancestor, share.ancestor, 'clearing');
    perform from ledger_accounts where organization_id = share.ancestor and account_id = share.ancestor
      and kind in ('balance', 'spent', 'clearing') order by kind = 'clearing', kind, id for update;
    perform post_entry(share.ancestor, share.key || ':' || part.leg || ':refund', 'refund',
      ledger_account_of(share.ancestor, share.ancestor, 'spent'), balance, part.owed, share.note)
    from unnest(share.legs, share.owed) as part (leg, owed);
    select least(share.paid, posted - held) into from_balance from ledger_accounts
      where organization_id = share.ancestor and id = balance;
    perform post_entry(share.ancestor, share.key || ':margin', 'margin_back', balance, clearing, from_balance, share.note);
    perform post_entry(share.ancestor, share.key || ':loss', 'margin_back', ledger_account_of(share.ancestor, share.ancestor, 'loss'),
      clearing, share.paid - from_balance, share.note)
    where share.paid > from_balance;
  end loop;
end $$;
