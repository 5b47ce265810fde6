import type { Channel } from '@carillon/contract/channels'
import { defaultChannels } from '@carillon/contract/channels/table'
import type { StoredFile } from '@carillon/contract/files'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { FileStore } from './file-store.ts'
import { saveUpload, type FileRecord } from './keep-file.ts'
import { readMediaType } from './media-types.ts'

type NewMedia = { actor: UserActor; channel: Channel; upload: UploadedFile | undefined }

/** Stores an uploaded media file that messages of the channel may contain. */
export async function storeMedia(db: Db, store: FileStore, { actor, channel, upload }: NewMedia): Promise<StoredFile> {
  if (!upload) throw badField('fileContent', 'Choose a file')
  if (upload.sizeBytes === 0) throw badField('fileContent', 'The file is empty')
  const media = await readMediaType(upload.path)
  if (!media)
    throw badField(
      'fileContent',
      'Unsupported file type: choose an image (PNG, JPEG, WebP, GIF), a video (MP4, 3GP), a PDF or an audio file',
    )

  const file = await saveUpload(db, store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'media',
    channel,
    mimeType: media.mimeType,
    upload,
  })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'file.uploaded',
    object: { type: 'file', id: file.id },
    details: { channel, mimeType: media.mimeType },
  })
  return presentFile(file)
}

export function presentFile(file: FileRecord): StoredFile {
  return {
    _id: file.id,
    name: file.name,
    channel: file.channel ?? defaultChannels.audience,
    mimeType: file.mime_type,
    sizeBytes: file.size_bytes,
    createdAt: file.created_at.toISOString(),
  }
}
