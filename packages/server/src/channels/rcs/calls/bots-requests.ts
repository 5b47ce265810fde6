import type { rcsBotEndpoints } from '@carillon/contract/channels/rcs/rcs-bots'
import { botLimits, type BotDetails, type PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { FileAnswer, Handlers, UploadedFile } from '../../../http/handlers.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { NotAPicture, readPicture } from '../../../modules/brands/index.ts'
import { openStored, saveUpload, type FileStore } from '../../../modules/files/index.ts'
import { notify } from '../../../modules/notifications/index.ts'
import type { ProviderQueryDeps } from '../../../modules/senders/index.ts'
import { getBot, listBots } from './bots-read.ts'
import { auditBot, changeBotRow, deleteRequest, insertRequest } from './bots-store.ts'
import { imagePath, presentBot } from './present-bot.ts'

type Deps = Pick<ProviderQueryDeps, 'callbackUrl'> & { files: FileStore }
type Part<Name extends keyof typeof rcsBotEndpoints> = Pick<Handlers<typeof rcsBotEndpoints>, Name>

/** The customer's side: own bots, requests and images. */
export function requestHandlers({
  callbackUrl,
  files: store,
}: Deps): Part<'bots.own' | 'bots.request' | 'bots.withdraw' | 'bots.uploadAsset' | 'bots.asset'> {
  return {
    'bots.own': async ({ db, actor }) =>
      (await listBots(db, actor.scope, {})).map((row) => presentBot(row, callbackUrl)),
    'bots.request': async ({ db, actor, input }) => {
      const id = await requestBot(db, actor, input.body)
      return presentBot(await getBot(db, actor.scope, { id }), callbackUrl)
    },
    'bots.withdraw': async ({ db, actor, input }) => {
      const bot = await getBot(db, actor.scope, input.path)
      if (bot.state === 'created') throw conflict('This bot has been created: switch it off instead')
      const key = { organizationId: bot.organization_id, id: bot.id }
      await deleteRequest(db, key)
      await auditBot(db, { actor, bot: key, event: 'withdrawn' })
      return {}
    },
    'bots.uploadAsset': async ({ db, actor, input, files }) => {
      const id = await storeImage(db, store, { actor, kind: input.body.kind, upload: files['file'] })
      return { fileId: id, url: imagePath(id) }
    },
    'bots.asset': ({ db, input }) => openImage(db, store, input.path.id),
  }
}

async function requestBot(
  db: Db,
  actor: UserActor,
  { id, details }: { id?: string | undefined; details: BotDetails },
): Promise<string> {
  await assertImages(db, details)
  const { organizationId, accountId } = actor
  const key = { organizationId, id: id ?? newId() }
  if (id === undefined) await insertRequest(db, { ...key, accountId, details })
  else {
    const before = await getBot(db, actor.scope, { id })
    if (before.state === 'created') throw conflict('This bot has been created: ask your administrator to change it')
    await changeBotRow(db, key, { state: 'requested', details, reason: null, decided_at: null })
  }
  await auditBot(db, { actor, bot: key, event: 'requested', details: { name: details.name } })
  await notifyAdministrators(db, actor, { id: key.id, name: details.name })
  return key.id
}

async function notifyAdministrators(db: Db, actor: UserActor, bot: { id: string; name: string }): Promise<void> {
  const { rows } = await sql<{ organization_id: string; id: string }>`select * from administrators_above()`.execute(db)
  await notify(
    db,
    rows.map(({ organization_id, id }) => ({
      organizationId: organization_id,
      accountId: id,
      kind: 'sender_requested' as const,
      title: `${bot.name} was requested as an RCS bot`,
      description: `By ${actor.username}. Create it or reject the request under Settings.`,
      link: { type: 'sender_requests' as const, id: bot.id },
      eventKey: `sender_requested:${bot.id}:${Date.now()}:${id}`,
    })),
  )
}

/** Images were uploaded before: of this organisation, or of the administrator who enters the details. */
export async function assertImages(db: Db, { logoId, bannerId }: Pick<PartialBotDetails, 'logoId' | 'bannerId'>) {
  for (const [field, id] of Object.entries({ logoId, bannerId })) {
    if (id === undefined) continue
    const file = await db
      .selectFrom('files')
      .select('id')
      .where('id', '=', id)
      .where('purpose', '=', 'bot_image')
      .executeTakeFirst()
    if (!file) throw badField(`details.${field}`, 'Upload the image again')
  }
}

type NewImage = { actor: UserActor; kind: 'logo' | 'banner'; upload: UploadedFile | undefined }

/** Stores the sanitised image; sizes are those that phones and Google require. */
async function storeImage(db: Db, store: FileStore, { actor, kind, upload }: NewImage): Promise<string> {
  if (!upload || upload.sizeBytes === 0) throw badField('file', 'Choose an image')
  const picture = parse(await readFile(upload.path))
  const { width, height, bytes } = botLimits[kind]
  if (picture.width !== width || picture.height !== height)
    throw badField(
      'file',
      `The image is ${picture.width} × ${picture.height}: a ${kind} is ${width} × ${height} pixels`,
    )
  if (picture.bytes.length > bytes) throw badField('file', `A ${kind} may have ${bytes / 1024} KB at most`)
  await writeFile(upload.path, picture.bytes)
  const { id } = await saveUpload(db, store, {
    organizationId: actor.organizationId,
    createdBy: actor.accountId,
    purpose: 'bot_image',
    channel: 'rcs',
    mimeType: picture.mimeType,
    upload: { ...upload, sizeBytes: picture.bytes.length, sha256: createHash('sha256').update(picture.bytes).digest() },
  })
  return id
}

function parse(bytes: Buffer) {
  if (bytes.length < 12) throw badField('file', 'Choose a PNG or JPEG image')
  try {
    const picture = readPicture(bytes)
    if (picture.mimeType !== 'image/webp') return picture
  } catch (error) {
    if (error instanceof NotAPicture) throw badField('file', error.message)
    // Lengths in the file that exceed it.
    if (error instanceof RangeError) throw badField('file', 'This image is damaged: export it again')
    throw error
  }
  throw badField('file', 'Choose a PNG or JPEG image: phones do not show WebP')
}

async function openImage(db: Db, store: FileStore, id: string): Promise<FileAnswer> {
  const file = await db
    .selectFrom('files')
    .select(['storage_key', 'mime_type', 'name'])
    .where('id', '=', id)
    .where('purpose', '=', 'bot_image')
    .executeTakeFirst()
  if (!file) throw notFound('Image')
  const body = await openStored(store, file.storage_key)
  return { fileName: file.name, contentType: file.mime_type, body, isLasting: true }
}
