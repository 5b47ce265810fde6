import { sql } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import type { FileAnswer } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import { getFile, openStored, type FileStore } from '../../files/index.ts'
import { getConversation } from '../list/find-conversation.ts'

type Wanted = { actor: UserActor; id: string; fileId: string }

/** The file of a message of a conversation that the member sees. */
export async function openFile(db: Db, store: Pick<FileStore, 'open'>, wanted: Wanted): Promise<FileAnswer> {
  const { actor, id, fileId } = wanted
  const { organizationId } = actor
  await getConversation(db, { actor, id })
  if (!(await isInConversation(db, { organizationId, id, fileId }))) throw notFound('File')
  const file = await getFile(db, { organizationId, id: fileId })
  return { fileName: file.name, contentType: file.mime_type, body: await openStored(store, file.storage_key) }
}

async function isInConversation(
  db: Db,
  { organizationId, id, fileId }: { organizationId: string; id: string; fileId: string },
): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (
      select from inbound_messages
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and file_id = ${fileId}::uuid
    ) or exists (
      select from single_sends
      where organization_id = ${organizationId}::uuid and conversation_id = ${id}::uuid and strpos(content::text, ${fileId}) > 0
    ) as "isThere"`.execute(db)
  return rows[0]?.isThere === true
}
