import type { SkipRecent } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../../db/pool.ts'
import { countRecentlyMessaged } from '../../messages/index.ts'
import type { Check } from '../../../channels/channel.ts'

type RecentQuery = {
  organizationId: string
  audienceId: string
  channel: Channel
  skipRecent: SkipRecent | null
}

/** The recipients that would be skipped now; empty without the rule. */
export async function checkRecent(db: Db, { skipRecent, ...asked }: RecentQuery): Promise<Check[]> {
  if (!skipRecent) return []
  const { hours, scope } = skipRecent
  const people = await countRecentlyMessaged(db, { ...asked, hours, isOnAny: scope === 'all' })
  const within = hours === 1 ? 'in the last hour' : `in the last ${hours} hours`
  if (people === 0)
    return [
      {
        id: 'recent',
        level: 'pass',
        title: `No one was messaged ${within}`,
        detail: 'Checked again as each message is sent.',
      },
    ]
  return [
    {
      id: 'recent',
      level: 'advice',
      title: `${people === 1 ? 'One person was' : `${people.toLocaleString('en-IN')} people were`} written to ${within}`,
      detail: 'They are skipped at no cost. Checked again as each message is sent.',
    },
  ]
}
