import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { Check } from '../../../channels/channel.ts'

/** Categories of what a person asked for: stopping marketing does not stop these. */
const notMarketing: readonly string[] = ['utility', 'authentication']

export function isMarketing(category: string): boolean {
  return !notMarketing.includes(category)
}

type OptOutQuery = { organizationId: string; audienceId: string; channel: Channel; category: string }

/** The places in an audience of those who opted out of what is to be sent. Most organisations have few opt-outs. */
export async function findOptedOut(
  db: Db,
  { organizationId, audienceId, channel, category }: OptOutQuery,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ seq: number }>`
    select recipient.seq from opt_outs
    join recipients recipient on recipient.organization_id = opt_outs.organization_id
      and recipient.audience_id = ${audienceId}::uuid and recipient.phone = opt_outs.phone
    where opt_outs.organization_id = ${organizationId}::uuid and opt_outs.channel = ${channel}::channel
      and (${isMarketing(category)}::boolean or not marketing_only)
    order by recipient.seq`.execute(db)
  return new Set(rows.map(({ seq }) => seq))
}

/** How many said stop, where some did. */
export function checkOptedOut({ people, channel }: { people: number; channel: string }): Check[] {
  if (people === 0) return []
  return [
    {
      id: 'opted-out',
      level: 'advice',
      title: `${people === 1 ? 'One person has' : `${people.toLocaleString('en-IN')} people have`} opted out of ${channel}`,
      detail: 'They are skipped at no cost. Checked again as each message is sent.',
    },
  ]
}
