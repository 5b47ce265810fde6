import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import { onDays } from '../../../db/partition-days.ts'
import type { Db } from '../../../db/pool.ts'
import type { FileAnswer } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import { getFile, openStored, type FileStore } from '../../files/index.ts'
import { getConversation } from '../list/find-conversation.ts'
import type { ThreadKey } from './thread-rows.ts'

type Wanted = { actor: UserActor; id: string; fileId: string }

/** The file of a message of a conversation that the member sees. */
export async function openFile(db: Db, store: Pick<FileStore, 'open'>, wanted: Wanted): Promise<FileAnswer> {
  const { actor, id, fileId } = wanted
  const { organizationId } = actor
  const { key } = await getConversation(db, { actor, id })
  if (!(await isInConversation(db, key, fileId))) throw notFound('File')
  const file = await getFile(db, { organizationId, id: fileId })
  return { fileName: file.name, contentType: file.mime_type, body: await openStored(store, file.storage_key) }
}

async function isInConversation(db: Db, { organizationId, id, days }: ThreadKey, fileId: string): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (
      select from inbound_messages
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and file_id = ${fileId}::uuid
    ) or exists (
      select from single_sends
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and strpos(content::text, ${fileId}) > 0
        and ${onDays('created_on', days)}
    ) as "isThere"`.execute(db)
  return rows[0]?.isThere === true
}
