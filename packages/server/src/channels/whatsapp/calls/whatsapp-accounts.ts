import type { whatsappEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Handlers } from '../../../http/handlers.ts'
import { wakeLanes } from '../../../modules/messages/index.ts'
import {
  disconnectAccount,
  getAccount,
  lockUnchanged,
  withProviderErrors,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import { changeConnection, createConnection } from './connection-settings.ts'
import { executeStep, runAutomaticSteps } from './connection-steps.ts'
import { numberHandlers } from './whatsapp-numbers.ts'
import { openWhatsapp } from './open-whatsapp.ts'
import { getConnection, listActive, listConnections } from './read-connections.ts'
import { signUpHandlers, type SignUpDeps } from './sign-up.ts'

const channel = 'whatsapp'

export function whatsappAccountHandlers(deps: SignUpDeps): Handlers<typeof whatsappEndpoints> {
  return { ...connectionHandlers(deps), ...numberHandlers(deps), ...signUpHandlers(deps) }
}

function connectionHandlers(
  deps: ProviderQueryDeps,
): Pick<
  Handlers<typeof whatsappEndpoints>,
  'wabas.active' | 'wabas.list' | 'wabas.connect' | 'wabas.change' | 'wabas.disconnect' | 'wabas.runStep'
> {
  return {
    'wabas.active': ({ db, actor }) => listActive(db, actor),
    'wabas.list': { withoutTransaction: (call) => listConnections(call, deps) },
    'wabas.connect': {
      withoutTransaction: async (call) => {
        const { actor, scoped, input } = call
        const accountId = await scoped((db) => createConnection(db, { actor, input: input.body, ...deps }))
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId })
        return getConnection(call, accountId, deps)
      },
    },
    'wabas.change': {
      withoutTransaction: async (call) => {
        const { actor, scoped, input } = call
        const { id } = input.path
        await scoped(async (db) => {
          const account = await getAccount(db, actor.scope, { channel, id })
          await changeConnection(db, { actor, account, input: input.body, secretBox: deps.secretBox })
        })
        await runAutomaticSteps(deps, { transaction: scoped, actor, accountId: id })
        return getConnection(call, id, deps)
      },
    },
    'wabas.disconnect': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { channel, id: input.path.id }))
        // An invalid token cannot unsubscribe.
        await tolerate(() => openWhatsapp(account, deps).manage.access.unsubscribe())
        await scoped(async (db) => {
          await lockUnchanged(db, account)
          await disconnectAccount(db, actor, account)
          wakeLanes(db)
        })
        return {}
      },
    },
    'wabas.runStep': {
      withoutTransaction: async (call) => {
        const { id, step } = call.input.path
        const { actor, scoped: transaction, input } = call
        await executeStep(deps, { transaction, actor, accountId: id, input: input.body }, step)
        return getConnection(call, id, deps)
      },
    },
  }
}

async function tolerate(work: () => Promise<unknown>): Promise<void> {
  await withProviderErrors(work).catch(() => undefined)
}
