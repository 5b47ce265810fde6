import type { fileEndpoints } from '@carillon/contract/files'
import type { Channel } from '@carillon/contract/channels'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import type { Handlers } from '../../http/handlers.ts'
import { badField, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { FileStore } from './file-store.ts'
import { forgetFile, type FileRecord } from './keep-file.ts'
import { presentFile, storeMedia } from './store-media.ts'

/** The list has no paging in the contract; older files appear once newer ones are deleted. */
const longestList = 500

export function fileHandlers(store: FileStore): Handlers<typeof fileEndpoints> {
  return {
    'uploads.list': async ({ db, actor, input }) =>
      (await listMedia(db, actor.scope, input.query.channel)).map(presentFile),
    'uploads.create': ({ db, actor, input, files }) =>
      storeMedia(db, store, { actor, channel: input.body.channel, upload: files['fileContent'] }),
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
