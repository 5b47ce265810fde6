import { readFile } from 'node:fs/promises'
import type { Channel } from '@carillon/contract/channels'
import { megabyte } from '@carillon/contract/sizes'
import type { ManagedFile } from '../../channels/management.ts'
import type { MediaRules } from '../../channels/media-rules.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { saveUpload, readMediaType, type FileStore } from '../files/index.ts'

export type CheckedFile = ManagedFile & { upload: UploadedFile }

/** Reads an upload and detects its type from its bytes; only accepted types are passed on. */
export async function readMedia(
  upload: UploadedFile | undefined,
  { accepts, refusal }: MediaRules,
): Promise<CheckedFile> {
  if (!upload || upload.sizeBytes === 0) throw badField('file', 'Choose a file')
  const media = await readMediaType(upload.path)
  const rule = media && accepts[media.mimeType]
  if (!media || !rule) throw badField('file', refusal)
  if (upload.sizeBytes > rule.maximumBytes) {
    const limit =
      rule.maximumBytes >= megabyte ? `${rule.maximumBytes / megabyte} MB` : `${rule.maximumBytes / 1024} KB`
    throw badField('file', `${rule.what} may have ${limit} at most`)
  }
  return { name: upload.fileName, mimeType: media.mimeType, bytes: await readFile(upload.path), upload }
}

/** Our own copy of media uploaded to the provider: for previews, and for another upload. */
export async function saveCopy(
  db: Db,
  store: FileStore,
  { actor, channel, file }: { actor: UserActor; channel: Channel; file: CheckedFile },
): Promise<string> {
  const { id } = await saveUpload(db, store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'media',
    channel,
    mimeType: file.mimeType,
    upload: file.upload,
  })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'file.uploaded',
    object: { type: 'file', id },
    details: { channel, mimeType: file.mimeType },
  })
  return id
}
