import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer, UploadedFile } from '../../http/handlers.ts'
import { badField, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { forgetFile, openStored, saveUpload, type FileStore } from '../files/index.ts'
import { NotAPicture, readPicture, type Picture } from './picture-bytes.ts'

const largestSide = 1024
const smallestSide = 16

/** Stores the sanitised image under a new id, so that cached copies of the old logo are not shown. */
export async function setLogo(
  db: Db,
  store: FileStore,
  { actor, upload }: { actor: UserActor; upload: UploadedFile | undefined },
): Promise<{ id: string; replaced: string | undefined }> {
  if (!upload) throw badField('logo', 'Choose an image')
  const picture = await clean(upload)
  const file = await saveUpload(db, store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'logo',
    mimeType: picture.mimeType,
    upload: { ...upload, sizeBytes: picture.bytes.length, sha256: createHash('sha256').update(picture.bytes).digest() },
  })
  const replaced = await forgetLogo(db, actor)
  await db
    .updateTable('brands')
    .set({ logo_id: file.id, logo_key: file.storage_key, logo_type: picture.mimeType, updated_at: new Date() })
    .where('organization_id', '=', actor.organizationId)
    .execute()
  await record(db, actor, 'brand.logo_changed')
  return { id: file.id, replaced }
}

export async function removeLogo(db: Db, actor: UserActor): Promise<string | undefined> {
  const removed = await forgetLogo(db, actor)
  await db
    .updateTable('brands')
    .set({ logo_id: null, logo_key: null, logo_type: null, updated_at: new Date() })
    .where('organization_id', '=', actor.organizationId)
    .execute()
  if (removed) await record(db, actor, 'brand.logo_removed')
  return removed
}

export async function openLogo(db: Db, store: FileStore, id: string): Promise<FileAnswer> {
  const logo = await db
    .selectFrom('brands')
    .select(['logo_key', 'logo_type'])
    .where('logo_id', '=', id)
    .executeTakeFirst()
  if (!logo?.logo_key || !logo.logo_type) throw notFound('Logo')
  return {
    fileName: `logo.${logo.logo_type.replace('image/', '')}`,
    contentType: logo.logo_type,
    body: await openStored(store, logo.logo_key),
    isLasting: true,
  }
}

async function clean(upload: UploadedFile): Promise<Picture> {
  const picture = parse(await readFile(upload.path))
  const { width, height } = picture
  if (Math.max(width, height) > largestSide)
    throw badField('logo', `The image is ${width} × ${height}: at most ${largestSide} × ${largestSide} pixels`)
  if (Math.min(width, height) < smallestSide)
    throw badField('logo', `The image is ${width} × ${height}: at least ${smallestSide} × ${smallestSide} pixels`)
  await writeFile(upload.path, picture.bytes)
  return picture
}

function parse(bytes: Buffer): Picture {
  if (bytes.length < 12) throw badField('logo', 'Choose a PNG, JPEG or WebP image')
  try {
    return readPicture(bytes)
  } catch (error) {
    if (error instanceof NotAPicture) throw badField('logo', error.message)
    // Lengths in the file that exceed it.
    if (error instanceof RangeError) throw badField('logo', 'This image is damaged: export it again')
    throw error
  }
}

async function forgetLogo(db: Db, { organizationId }: UserActor): Promise<string | undefined> {
  const before = await db
    .selectFrom('brands')
    .select('logo_id')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  return before?.logo_id ? forgetFile(db, { organizationId, id: before.logo_id }) : undefined
}

async function record(db: Db, actor: UserActor, action: string) {
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action,
    object: { type: 'brand', id: actor.organizationId },
  })
}
