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

/** Purpose of a file. Media are visible to and deleted by users; the others belong to another record. */
export type FilePurpose = 'media' | 'audience' | 'audience_rejects' | 'logo' | 'inbound' | 'bot_image' | 'report'

export type FileToStore = {
  organizationId: string
  createdBy: string
  purpose: FilePurpose
  channel?: Channel
  mimeType: string
  upload: Pick<UploadedFile, 'fileName' | 'path' | 'sizeBytes' | 'sha256'>
}

/** Stores and records an upload. On rollback the bytes are removed. */
export async function saveUpload(db: Db, store: FileStore, { upload, ...file }: FileToStore): Promise<FileRecord> {
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

/** Throws if a storage limit leaves no room. Generated files are not limited. */
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

/** Deletes the record and returns its key, whose bytes may be deleted after the commit. */
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
