import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Check } from '../../../channels/channel.ts'

type OptOutQuery = { organizationId: string; audienceId: string; channel: Channel; isMarketing: boolean }

/** Positions in an audience of people who opted out of these messages. Most organisations have few opt-outs. */
export async function findOptedOut(
  db: Db,
  { organizationId, audienceId, channel, isMarketing }: OptOutQuery,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ seq: number }>`
    select distinct recipient.seq from opt_outs
    join recipients recipient on recipient.organization_id = opt_outs.organization_id
      and recipient.audience_id = ${audienceId}::uuid and recipient.phone = opt_outs.phone
    where opt_outs.organization_id = ${organizationId}::uuid and opt_outs.channel = any(opt_out_channels(${organizationId}::uuid, ${channel}::channel))
      and (${isMarketing}::boolean or not marketing_only)
    order by recipient.seq`.execute(db)
  return new Set(rows.map(({ seq }) => seq))
}

/** Number of people who opted out; undefined if none. */
export function checkOptedOut({ people, channel }: { people: number; channel: string }): Check[] {
  if (people === 0) return []
  return [
    {
      id: 'opted-out',
      level: 'advice',
      title: `${people === 1 ? 'One person has' : `${people.toLocaleString('en-IN')} people have`} opted out of ${channel}`,
      detail: 'They are left out at no cost. Later opt-outs are skipped as each message is sent.',
    },
  ]
}
