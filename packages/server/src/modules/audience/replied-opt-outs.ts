import type { Channel } from '@carillon/contract/channels'
import type pg from 'pg'

type Queryable = Pick<pg.Pool, 'query'>
type SenderKey = { organizationId: string; senderId: string }

export type RepliedOptOut = {
  phone: number
  keyword: string
  at: Date
  /** Set in the provider's own app, and valid for promotional messages only. */
  isInApp: boolean
  campaignId: string | undefined
}

/**
 * A person opted out of a channel. Returns the channel; undefined if they had opted out already, of this channel or of another one that
 * counts for it.
 */
export async function optOut(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { phone, keyword, at, isInApp, campaignId }: RepliedOptOut,
): Promise<{ channel: Channel } | undefined> {
  const { rows } = await db.query<{ channel: Channel; isNew: boolean }>({
    name: 'opt-out',
    text: `
    insert into opt_outs as known (organization_id, channel, phone, keyword, sender_id, at, marketing_only, source, campaign_id)
    select $1, channel, $3::bigint, $4, $2, $5::timestamptz, $6::boolean, $7, $8::uuid from senders where organization_id = $1 and id = $2
    on conflict (organization_id, channel, phone) do update
      set keyword = excluded.keyword, sender_id = excluded.sender_id, at = excluded.at, marketing_only = false,
        source = excluded.source, campaign_id = excluded.campaign_id, added_by = null
      where known.marketing_only and not excluded.marketing_only
    returning channel, xmax = 0 and not exists (select from opt_outs other where other.organization_id = $1 and other.phone = $3::bigint
      and other.channel = any(opt_out_channels($1, known.channel))) as "isNew"`,
    values: [
      organizationId,
      senderId,
      phone,
      keyword,
      at.toISOString(),
      isInApp,
      isInApp ? 'app' : 'reply',
      campaignId ?? null,
    ],
  })
  return rows.find(({ isNew }) => isNew)
}

/**
 * The person opts in to messages of that channel again. Where an opt-out applies to every channel, this undoes those of the others; a
 * setting of the provider's app concerns marketing, so it undoes no more than that there.
 */
export async function optIn(
  db: Queryable,
  { organizationId, senderId }: SenderKey,
  { phone, isInApp }: Pick<RepliedOptOut, 'phone' | 'isInApp'>,
): Promise<void> {
  await db.query({
    name: 'opt-in',
    text: `
    delete from opt_outs using senders sender
    where opt_outs.organization_id = $1 and sender.organization_id = $1 and sender.id = $2
      and opt_outs.channel = any(opt_out_channels($1, sender.channel)) and opt_outs.phone = $3
      and (opt_outs.channel = sender.channel or opt_outs.marketing_only or not $4::boolean)`,
    values: [organizationId, senderId, phone, isInApp],
  })
}
