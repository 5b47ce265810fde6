import type { smsAccountEndpoints } from '@carillon/contract/channels/sms/sms-accounts'
import type { Db } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { badField, conflict } from '../../../lib/problem.ts'
import { sendSingle, wakeLanes } from '../../../modules/messages/index.ts'
import {
  activateSender,
  checkConnection,
  createSender,
  deleteSender,
  findForbidden,
  getSender,
  listSenderHealth,
  listProviderForms,
  listSenders,
  updateSender,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { deleteTemplatesOf } from '../../../modules/templates/index.ts'
import { presentAccount } from './present-account.ts'

const channel = 'sms'

export function smsAccountHandlers({
  secretBox,
  io,
  callbackUrl,
}: ProviderQueryDeps): Handlers<typeof smsAccountEndpoints> {
  return {
    'smsAccounts.list': async ({ db, actor }) =>
      (await listSenders(db, { scope: actor.scope, channel })).map((row) => presentAccount(row, callbackUrl)),
    'smsAccounts.health': ({ db, actor }) => listSenderHealth(db, { actor, channel, now: io.clock.now() }),
    'smsAccounts.get': async ({ db, actor, input }) =>
      presentAccount(await getSender(db, { scope: actor.scope, channel, id: input.path.id }), callbackUrl),
    'smsAccounts.check': {
      withoutTransaction: ({ scoped, actor, input }) =>
        checkConnection({ scoped, actor, channel, input: input.body }, { secretBox, io }),
    },
    'smsAccounts.create': async ({ db, actor, input }) =>
      presentAccount(await createSender(db, { actor, channel, input: input.body, secretBox }), callbackUrl),
    'smsAccounts.update': async ({ db, actor, input }) => {
      const row = await updateSender(db, { actor, channel, input: input.body, secretBox, id: input.path.id })
      wakeLanes(db)
      return presentAccount(row, callbackUrl)
    },
    'smsAccounts.activate': async ({ db, actor, input }) => {
      const { id, isActive } = input.body
      const sender = await getSender(db, { scope: actor.scope, channel, id })
      await activateSender(db, { actor, sender, isActive })
      const row = await getSender(db, { scope: actor.scope, channel, id })
      wakeLanes(db)
      return presentAccount(row, callbackUrl)
    },
    'smsAccounts.delete': async ({ db, actor, input }) => {
      await deleteSender(db, { actor, channel, id: input.path.id, deleteTemplates: deleteTemplatesOf })
      wakeLanes(db)
      return {}
    },
    'smsAccounts.test': ({ db, actor, input }) => sendTest(db, actor, { ...input.body, id: input.path.id }),
    'providers.list': async () => listProviderForms(channel),
  }
}

type Test = { id: string; phoneNumber: string; header: string; text: string }

async function sendTest(db: Db, actor: UserActor, { id, phoneNumber, header, text }: Test) {
  const sender = await getSender(db, { scope: actor.scope, channel, id })
  if (!sender.is_active) throw conflict('The account is inactive: activate it first')
  if (!sender.headers.includes(header)) throw badField('header', 'This header does not belong to the account')
  const forbidden = findForbidden(sender)
  if (forbidden) throw conflict(forbidden)
  const { messageId } = await sendSingle(db, {
    organizationId: actor.organizationId,
    accountId: actor.accountId,
    path: actor.scope.path,
    senderId: sender.id,
    kind: 'test',
    channel,
    phoneNumber,
    header,
    text,
    category: 'transactional',
    entityId: sender.entity_id ?? undefined,
  })
  return { messageId }
}
