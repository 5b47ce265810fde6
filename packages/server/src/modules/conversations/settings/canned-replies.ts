import type { Input } from '@carillon/contract/endpoint'
import type { CannedReply, inboxSettingsEndpoints } from '@carillon/contract/inbox-settings'
import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { refuseDuplicate } from '../../../db/refuse-duplicate.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'

type Wanted = Input<(typeof inboxSettingsEndpoints)['cannedReplies.create']>['body']

const mostReplies = 500

export async function listReplies(db: Db, { organizationId }: UserActor): Promise<CannedReply[]> {
  return db
    .selectFrom('canned_replies')
    .select(['id', 'shortcut', 'text'])
    .where('organization_id', '=', organizationId)
    .orderBy(sql`lower(shortcut)`)
    .execute()
}

export async function createReply(
  db: Db,
  { actor, wanted }: { actor: UserActor; wanted: Wanted },
): Promise<CannedReply> {
  const { organizationId, accountId } = actor
  const { count } = await db
    .selectFrom('canned_replies')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= mostReplies)
    throw conflict(`An organisation has at most ${mostReplies} canned replies. Delete one you no longer need.`)
  const id = newId()
  const values = { organization_id: organizationId, id, created_by: accountId, ...wanted }
  await refuseDuplicate(db.insertInto('canned_replies').values(values).execute(), shortcutTaken())
  return { id, ...wanted }
}

export async function updateReply(
  db: Db,
  { actor, id, wanted }: { actor: UserActor; id: string; wanted: Wanted },
): Promise<CannedReply> {
  const writing = db
    .updateTable('canned_replies')
    .set({ ...wanted, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
    .then((reply) => {
      if (!reply) throw notFound('Canned reply')
    })
  await refuseDuplicate(writing, shortcutTaken())
  return { id, ...wanted }
}

export async function deleteReply(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const reply = await db
    .deleteFrom('canned_replies')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!reply) throw notFound('Canned reply')
}

const shortcutTaken = () => badField('shortcut', 'Another canned reply has this shortcut')
