import { readFile } from 'node:fs/promises'
import type { ManagedFile } from '../../channels/management.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { UploadedFile } from '../../http/handlers.ts'
import { badField } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { saveUpload, readMediaType, type FileStore } from '../files/index.ts'

const megabyte = 1024 * 1024

/** What a message may show, and how large that may be. */
const messageMedia: Record<string, { what: string; maximumBytes: number }> = {
  'image/jpeg': { what: 'An image', maximumBytes: 5 * megabyte },
  'image/png': { what: 'An image', maximumBytes: 5 * megabyte },
  'image/webp': { what: 'A sticker', maximumBytes: megabyte / 2 },
  'video/mp4': { what: 'A video', maximumBytes: 16 * megabyte },
  'video/3gpp': { what: 'A video', maximumBytes: 16 * megabyte },
  'audio/aac': { what: 'A sound', maximumBytes: 16 * megabyte },
  'audio/amr': { what: 'A sound', maximumBytes: 16 * megabyte },
  'audio/mpeg': { what: 'A sound', maximumBytes: 16 * megabyte },
  'audio/mp4': { what: 'A sound', maximumBytes: 16 * megabyte },
  'audio/ogg': { what: 'A sound', maximumBytes: 16 * megabyte },
  'application/pdf': { what: 'A document', maximumBytes: 100 * megabyte },
}
/** What stands in for the real thing in a review. */
const sampleTypes = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf']

export type CheckedFile = ManagedFile & { upload: UploadedFile }

/** Reads an upload as what it is by its bytes; whatever its name says, nothing else is passed on. */
export async function readMedia(upload: UploadedFile | undefined, use: 'sample' | 'message'): Promise<CheckedFile> {
  if (!upload || upload.sizeBytes === 0) throw badField('file', 'Choose a file')
  const media = await readMediaType(upload.path)
  const rule = media && messageMedia[media.mimeType]
  if (use === 'sample' && !sampleTypes.includes(media?.mimeType ?? ''))
    throw badField('file', 'A sample is an image (JPEG, PNG), a video (MP4) or a PDF document')
  if (!media || !rule)
    throw badField('file', 'WhatsApp shows images (JPEG, PNG), videos (MP4, 3GP), PDF documents and sounds')
  if (upload.sizeBytes > rule.maximumBytes) {
    const limit =
      rule.maximumBytes >= megabyte ? `${rule.maximumBytes / megabyte} MB` : `${rule.maximumBytes / 1024} KB`
    throw badField('file', `${rule.what} may have ${limit} at most`)
  }
  return { name: upload.fileName, mimeType: media.mimeType, bytes: await readFile(upload.path), upload }
}

/** Our own copy of what was given to the provider: for previews, and to give it once more. */
export async function saveCopy(
  db: Db,
  store: FileStore,
  { actor, file }: { actor: UserActor; file: CheckedFile },
): Promise<string> {
  const { id } = await saveUpload(db, store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'media',
    channel: 'whatsapp',
    mimeType: file.mimeType,
    upload: file.upload,
  })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'file.uploaded',
    object: { type: 'file', id },
    details: { channel: 'whatsapp', mimeType: file.mimeType },
  })
  return id
}
