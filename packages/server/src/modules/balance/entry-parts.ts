/**
 * What an entry of the ledger is to the balance `own.account`: its signed amount, its kind in statements, whether it is of a single message, and its
 * conversation, organisation below and campaign.
 */
export const entryParts = `
  case when credit_account = own.account then amount else -amount end as amount,
        case kind when 'capture' then 'usage' when 'recharge' then 'usage' when 'margin_back' then 'margin' when 'issue' then 'transfer_out'
          when 'transfer_in' then case when credit_account = own.account then 'transfer_in' else 'transfer_out' end
          when 'topup' then case when credit_account = own.account then 'topup' else 'transfer_out' end
          else kind end as kind,
        op_key ~ '^capture:[^:]+$' as single,
        case when op_key ~ '^conversation:[^:]+$' then reference::uuid end as conversation,
        case when kind in ('capture', 'refund', 'margin', 'margin_back') and op_key ~ ':(usage|margin|refund)$' then split_part(reference, ':', 1)::uuid end as below,
        case when kind = 'capture' and op_key ~ '^capture:[^:]+:' and op_key !~ ':usage$' then reference::uuid
          when op_key ~ '^(refund|recharge):[^:]+:[^:]+' then reference::uuid
          when kind = 'refund' and op_key ~ ':refund$' then nullif(split_part(reference, ':', 2), '')::uuid end as campaign`
