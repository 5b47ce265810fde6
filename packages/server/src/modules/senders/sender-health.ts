import type { Channel } from '@carillon/contract/channels'
import type { AccountHour } from '@carillon/contract/senders'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { ofOrganization } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'

const hours = 24

/**
 * The current hour in the actor's time zone and those before it, for every sender of a channel; an hour without traffic has
 * zeros.
 */
export async function listSenderHealth(
  db: Db,
  { actor, channel, now }: { actor: UserActor; channel: Channel; now: Date },
): Promise<{ _id: string; hours: AccountHour[] }[]> {
  const { rows } = await sql<{ id: string } & Omit<AccountHour, 'at'> & { at: Date }>`
    with first as (
      select date_trunc('hour', ${now}::timestamptz, ${actor.timezone}) - make_interval(hours => ${hours - 1}) as at
    )
    select sender.id, hour.at,
      coalesce(sum(submitted), 0)::float8 as submitted, coalesce(sum(sent), 0)::float8 as sent,
      coalesce(sum(delivered + read), 0)::float8 as delivered, coalesce(sum(failed), 0)::float8 as failed,
      coalesce(sum(unknown + unconfirmed), 0)::float8 as unconfirmed
    from senders sender
    cross join first
    cross join generate_series(first.at, ${now}::timestamptz, interval '1 hour') as hour (at)
    left join sender_points point on point.organization_id = sender.organization_id and point.sender_id = sender.id
      and point.at >= hour.at and point.at < hour.at + interval '1 hour'
    where ${ofOrganization(actor.scope, 'sender.organization_id')} and sender.channel = ${channel} and sender.deleted_at is null
    group by sender.id, sender.created_at, hour.at
    order by sender.created_at, sender.id, hour.at`.execute(db)
  return [...Map.groupBy(rows, ({ id }) => id)].map(([_id, own]) => ({
    _id,
    hours: own.map(({ at, submitted, sent, delivered, failed, unconfirmed }) => ({
      at: at.toISOString(),
      submitted,
      sent,
      delivered,
      failed,
      unconfirmed,
    })),
  }))
}
