import type { Channel } from '@carillon/contract/channels'
import { truncate } from '@carillon/contract/text'
import type { Db } from '../../db/pool.ts'
import { notify } from '../notifications/index.ts'

type LineChange = { organizationId: string; channel: Channel; senderId: string; title: string; change: string }

/** Notifies the manager of an organisation of a provider's decision on one of its senders. */
export async function notifyOfLine(db: Db, line: LineChange): Promise<void> {
  const { organizationId, channel, senderId, title, change } = line
  await notify(db, [
    {
      organizationId,
      accountId: organizationId,
      kind: 'sender_changed',
      title,
      description: truncate(change, 500),
      link: { type: 'connection', id: channel },
      eventKey: `sender_changed:${senderId}:${Date.now()}`,
    },
  ])
}
