import type { Channel } from '@carillon/contract/channels'
import type { Insertable, Selectable } from 'kysely'
import { onRollback, type Db } from '../../db/pool.ts'
import type { Files } from '../../db/schema.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { newId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import type { FileStore } from './file-store.ts'

export type FileRecord = Selectable<Files>

/** What a file is for. Media are seen and deleted by people; the rest belongs to its audience. */
export type FilePurpose = 'media' | 'audience' | 'audience_rejects' | 'logo' | 'inbound'

export type KeptFile = {
  organizationId: string
  createdBy: string
  purpose: FilePurpose
  channel?: Channel
  mimeType: string
  upload: Pick<UploadedFile, 'fileName' | 'path' | 'sizeBytes' | 'sha256'>
}

/** Puts an upload into the store and records it. When the transaction is rolled back, the bytes are removed. */
export async function saveUpload(db: Db, store: FileStore, { upload, ...file }: KeptFile): Promise<FileRecord> {
  if (file.purpose !== 'audience_rejects') await assertStorage(db, file.createdBy, upload.sizeBytes)
  const storageKey = await store.put(upload.path)
  return recordFile(db, store, {
    organization_id: file.organizationId,
    purpose: file.purpose,
    channel: file.channel ?? null,
    name: upload.fileName,
    mime_type: file.mimeType,
    size_bytes: upload.sizeBytes,
    sha256: upload.sha256,
    storage_key: storageKey,
    created_by: file.createdBy,
  })
}

/** Records bytes that are in the store already. When the transaction is rolled back, they are removed. */
export async function recordFile(db: Db, store: FileStore, file: Omit<Insertable<Files>, 'id'>): Promise<FileRecord> {
  onRollback(db, () => store.remove(file.storage_key))
  return db
    .insertInto('files')
    .values({ ...file, id: newId() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Refuses so many more bytes when a storage limit of the account leaves no room. Files of our own making are not refused. */
export async function assertStorage(db: Db, accountId: string, sizeBytes: number) {
  const { path } = await db.selectFrom('accounts').select('path').where('id', '=', accountId).executeTakeFirstOrThrow()
  await assertWithinLimits(db, path, { storage_mb: sizeBytes })
}

export async function getFile(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<FileRecord> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file) throw notFound('File')
  return file
}

/** Forgets a file and answers its key, whose bytes may go once this is committed. */
export async function forgetFile(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<string | undefined> {
  const gone = await db
    .deleteFrom('files')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('storage_key')
    .executeTakeFirst()
  return gone?.storage_key
}
