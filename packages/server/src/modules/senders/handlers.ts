import type { Channel } from '@carillon/contract/channels'
import type { smsAccountEndpoints } from '@carillon/contract/channels/sms/sms-accounts'
import type { senderEndpoints } from '@carillon/contract/senders'
import { listProviders } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { Handlers } from '../../http/handlers.ts'
import { badField, conflict } from '../../lib/problem.ts'
import { listAccountHealth } from './account-health.ts'
import { checkAccount, type CheckDeps } from './check-account.ts'
import { getChannelFlags, updateChannelFlags } from './channel-flags.ts'
import { deleteAccount, type DeleteTemplates } from './delete-account.ts'
import { listOwnFailedConnections } from './connection-failures.ts'
import { findForbidden, presentAccount } from './present-account.ts'
import { formSchema } from './provider-config.ts'
import { getSender, listSenders } from './senders.queries.ts'
import { activateAccount, createAccount, updateAccount } from './write-account.ts'

export type SingleSend = {
  actor: UserActor
  senderId: string
  channel: Channel
  phoneNumber: string
  header: string
  text: string
  entityId: string | undefined
}

export type SenderDeps = CheckDeps & {
  callbackUrl(key: string): string
  /** Queues one message at the front of the sender's lane and charges it; the engine's, handed in because it lies to the right. */
  sendTest(db: Db, message: SingleSend): Promise<{ messageId: string }>
  /** Lanes look again at what is switched on. */
  wakeLanes(db: Db): Promise<void>
  deleteTemplates: DeleteTemplates
}

export function senderHandlers({
  secretBox,
  io,
  callbackUrl,
  sendTest,
  wakeLanes,
  deleteTemplates,
}: SenderDeps): Handlers<typeof senderEndpoints & typeof smsAccountEndpoints> {
  return {
    'smsAccounts.list': async ({ db, actor }) =>
      (await listSenders(db, { scope: actor.scope, channel: 'sms' })).map((row) => presentAccount(row, callbackUrl)),
    'smsAccounts.health': ({ db, actor }) => listAccountHealth(db, { actor, now: io.clock.now() }),
    'smsAccounts.get': async ({ db, actor, input }) =>
      presentAccount(await getSender(db, { scope: actor.scope, channel: 'sms', id: input.path.id }), callbackUrl),
    'smsAccounts.check': {
      withoutTransaction: ({ scoped, actor, input }) =>
        checkAccount({ scoped, actor, input: input.body }, { secretBox, io }),
    },
    'smsAccounts.create': async ({ db, actor, input }) =>
      presentAccount(await createAccount(db, { actor, input: input.body, secretBox }), callbackUrl),
    'smsAccounts.update': async ({ db, actor, input }) => {
      const row = await updateAccount(db, { actor, input: input.body, secretBox, id: input.path.id })
      await wakeLanes(db)
      return presentAccount(row, callbackUrl)
    },
    'smsAccounts.activate': async ({ db, actor, input }) => {
      const row = await activateAccount(db, { actor, ...input.body })
      await wakeLanes(db)
      return presentAccount(row, callbackUrl)
    },
    'smsAccounts.delete': async ({ db, actor, input }) => {
      await deleteAccount(db, { actor, id: input.path.id, deleteTemplates })
      await wakeLanes(db)
      return {}
    },
    'smsAccounts.test': async ({ db, actor, input }) => {
      const sender = await getSender(db, { scope: actor.scope, channel: 'sms', id: input.path.id })
      if (!sender.is_active) throw conflict('The account is off: switch it on first')
      if (!sender.headers.includes(input.body.header))
        throw badField('header', 'This header is not one of the account’s')
      const forbidden = findForbidden(sender)
      if (forbidden) throw conflict(forbidden)
      return sendTest(db, {
        actor,
        channel: 'sms',
        senderId: sender.id,
        ...input.body,
        entityId: sender.entity_id ?? undefined,
      })
    },
    'providers.list': async () =>
      listProviders('sms').map((provider) => ({
        name: provider.name,
        label: provider.label,
        description: provider.description,
        schema: formSchema(provider),
        presets: provider.presets.map(({ name, label, config }) => ({
          name,
          label,
          // A preset is a part of the provider's own settings, which are always an object.
          config: { ...(config as Record<string, unknown>) },
        })),
      })),
    'channels.get': ({ db, actor }) => getChannelFlags(db, actor),
    'channels.update': ({ db, actor, input }) => updateChannelFlags(db, actor, input.body),
    'channels.failedConnections': ({ db, actor }) => listOwnFailedConnections(db, actor.organizationId),
  }
}
