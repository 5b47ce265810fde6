import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { notify } from '../notifications/index.ts'
import type { RequestRow } from './find-request.ts'
import type { MessageText } from './messages.ts'

type Author = NonNullable<MessageText['author']>

/** The author's name as shown in the thread. */
export async function whoSpeaks(db: Db, actor: UserActor): Promise<Author> {
  const { name } = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  return { id: actor.accountId, name: name || actor.username, role: actor.role }
}

/** The assignee is above, in an organisation the caller may not be able to read. */
export async function notifyAnswerer(
  db: Db,
  request: RequestRow,
  { title, author }: { title: string; author: Author },
): Promise<void> {
  if (!request.answerer_id || request.answerer_id === author.id) return
  const { rows } = await sql<{ id: string | null }>`
    select organization_above(${request.answerer_id}::uuid) as id`.execute(db)
  const organizationId = rows[0]?.id
  if (!organizationId) return
  await notify(db, [
    {
      ...notificationOf(request, author),
      organizationId,
      accountId: request.answerer_id,
      kind: 'support_opened',
      title,
    },
  ])
}

export async function notifyOpener(
  db: Db,
  request: RequestRow,
  { title, author }: { title: string; author: Author },
): Promise<void> {
  if (request.account_id === author.id) return
  await notify(db, [
    {
      ...notificationOf(request, author),
      organizationId: request.organization_id,
      accountId: request.account_id,
      kind: 'support_answered',
      title,
    },
  ])
}

function notificationOf(request: RequestRow, author: Author) {
  return {
    description: `${author.name}: ${request.subject}`,
    link: { type: 'support_request' as const, id: request.id },
    eventKey: `support:${request.id}:${newId()}`,
  }
}
