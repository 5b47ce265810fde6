import type { whatsappTemplateEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { conflict, notFound } from '../../../lib/problem.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import {
  getAccount,
  listLines,
  withProviderErrors,
  type ProviderQueryDeps,
  type ProviderAccount,
} from '../../../modules/senders/index.ts'
import { readMedia, saveCopy } from '../../../modules/templates/index.ts'
import { messageMedia, sampleMedia } from '../media-rules.ts'
import { openWhatsapp } from './open-whatsapp.ts'

const channel = 'whatsapp'

export function mediaHandlers(
  deps: ProviderQueryDeps & { files: FileStore },
): Pick<Handlers<typeof whatsappTemplateEndpoints>, 'waMedia.campaign' | 'waMedia.template'> {
  return {
    'waMedia.template': {
      withoutTransaction: async ({ scoped, actor, input, files }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { channel, externalId: input.body.waba_id }))
        const file = await readMedia(files['file'], sampleMedia)
        const handle = await withProviderErrors(() => openWhatsapp(account, deps).manage.media.uploadSample(file))
        return { handle, fileId: await scoped((db) => saveCopy(db, deps.files, { actor, channel, file })) }
      },
    },
    'waMedia.campaign': {
      withoutTransaction: async ({ scoped, actor, input, files }) => {
        const { account, lineId } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { channel, externalId: input.body.waba_id })
          const named = input.body.phone_number_id
          return { account: found, lineId: await chooseLine(db, { actor, account: found, lineId: named }) }
        })
        const file = await readMedia(files['file'], messageMedia)
        const { id, expiresAt } = await withProviderErrors(() =>
          openWhatsapp(account, deps).manage.media.upload(lineId, file),
        )
        const fileId = await scoped((db) => saveCopy(db, deps.files, { actor, channel, file }))
        return { mediaId: id, fileId, expiresAt: expiresAt.toISOString() }
      },
    },
  }
}

/** Media belong to the number that sends them; if none is named, to the account's first active one. */
async function chooseLine(
  db: Db,
  { actor, account, lineId }: { actor: UserActor; account: ProviderAccount; lineId: string | undefined },
): Promise<string> {
  const lines = await listLines(db, actor.scope, { channel, accountId: account.id, lineId })
  const line = lines.find(({ is_active }) => is_active) ?? lines[0]
  if (line) return line.external_id
  if (lineId !== undefined) throw notFound('Phone number')
  throw conflict('The account has no number yet')
}
