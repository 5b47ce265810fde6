import { defaultChannels } from '@carillon/contract/channels/table'
import type { fileEndpoints, StoredFile } from '@carillon/contract/files'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import type { Handlers, UploadedFile } from '../../http/handlers.ts'
import { badField, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { FileStore } from './file-store.ts'
import { forgetFile, saveUpload, type FileRecord } from './keep-file.ts'
import { readMediaType } from './media-types.ts'

/** The list has no paging in the contract; older files appear once newer ones are deleted. */
const longestList = 500

export function fileHandlers(store: FileStore): Handlers<typeof fileEndpoints> {
  return {
    'uploads.list': async ({ db, actor, input }) =>
      (await listMedia(db, actor.scope, input.query.channel)).map(presentFile),
    'uploads.create': async ({ db, actor, input, files }) =>
      presentFile(await createMedia(db, store, { actor, channel: input.body.channel, upload: files['fileContent'] })),
    'uploads.delete': async (call) => {
      const { db, actor, input } = call
      const key = await deleteMedia(db, { actor, id: input.path.id, channel: input.body.channel })
      if (key) call.afterCommit(() => store.remove(key).catch(() => undefined))
      return {}
    },
  }
}

async function listMedia(db: Db, scope: Scope, channel: Channel): Promise<FileRecord[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where(ofOrganization(scope))
    .where('purpose', '=', 'media')
    .where('channel', '=', channel)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(longestList)
    .execute()
}

type NewMedia = { actor: UserActor; channel: Channel; upload: UploadedFile | undefined }

async function createMedia(db: Db, store: FileStore, { actor, channel, upload }: NewMedia): Promise<FileRecord> {
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
  return file
}

/** The channel in the body must match the file in the path. */
async function deleteMedia(
  db: Db,
  { actor, id, channel }: { actor: UserActor; id: string; channel: Channel },
): Promise<string | undefined> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where(ofOrganization(actor.scope))
    .where('id', '=', id)
    .where('purpose', '=', 'media')
    .executeTakeFirst()
  if (!file) throw notFound('File')
  if (file.channel !== channel) throw badField('channel', `This file belongs to the channel ${file.channel}`)

  const key = await forgetFile(db, { organizationId: actor.organizationId, id })
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'file.deleted',
    object: { type: 'file', id },
  })
  return key
}

function presentFile(file: FileRecord): StoredFile {
  return {
    _id: file.id,
    name: file.name,
    channel: file.channel ?? defaultChannels.audience,
    mimeType: file.mime_type,
    sizeBytes: file.size_bytes,
    createdAt: file.created_at.toISOString(),
  }
}
