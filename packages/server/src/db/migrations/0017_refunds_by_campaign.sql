-- What is given back up the tree is booked by campaign, so that every statement on the way can name it.

-- As before, but each campaign has entries of its own. Locks are taken in the same order: all of a level before the next.
create or replace function pass_back(organization uuid, campaigns uuid[], legs smallint[], refunded bigint[], key text) returns void
language plpgsql as $$
declare
  share record;
  balance uuid;
  clearing uuid;
  from_balance bigint;
begin
  for share in
    select level, ancestor_id as ancestor, child_id as child, key || ':' || campaign_id as key, organization || ':' || campaign_id as note,
      sum(unit.refunded / payer_price * child_price)::bigint as paid, sum(unit.refunded / payer_price * price)::bigint as owed
    from unnest(campaigns, legs, refunded) as unit (campaign, leg, refunded)
    join campaign_leg_shares shares
      on shares.organization_id = organization and shares.campaign_id = unit.campaign and shares.leg = unit.leg
    where unit.refunded > 0
    group by level, ancestor_id, child_id, campaign_id
    order by level, ancestor_id, campaign_id
  loop
    perform post_entry(share.child, share.key || ':back', 'passed_back', ledger_account_of(share.child, share.child, 'clearing'),
      ledger_account_of(share.child, share.child, 'spent'), share.paid, share.note);
    balance := ledger_account_of(share.ancestor, share.ancestor, 'balance');
    clearing := ledger_account_of(share.ancestor, share.ancestor, 'clearing');
    perform from ledger_accounts where organization_id = share.ancestor and account_id = share.ancestor
      and kind in ('balance', 'spent', 'clearing') order by kind = 'clearing', kind, id for update;
    perform post_entry(share.ancestor, share.key || ':refund', 'refund', ledger_account_of(share.ancestor, share.ancestor, 'spent'),
      balance, share.owed, share.note);
    select least(share.paid, posted - held) into from_balance from ledger_accounts
      where organization_id = share.ancestor and id = balance;
    perform post_entry(share.ancestor, share.key || ':margin', 'margin_back', balance, clearing, from_balance, share.note);
    perform post_entry(share.ancestor, share.key || ':loss', 'margin_back', ledger_account_of(share.ancestor, share.ancestor, 'loss'),
      clearing, share.paid - from_balance, share.note)
    where share.paid > from_balance;
  end loop;
end $$;
