import type { whatsappEndpoints } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { badField } from '../../../lib/problem.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import { wakeLanes } from '../../../modules/messages/index.ts'
import {
  activateLine,
  getAccount,
  getLine,
  listAccounts,
  listLines,
  syncLines,
  withProviderErrors,
  type ProviderQueryDeps,
  type LineRow,
} from '../../../modules/senders/index.ts'
import { openWhatsapp } from './open-whatsapp.ts'
import { presentNumber } from './present-connection.ts'

const channel = 'whatsapp'

type Part<Name extends keyof typeof whatsappEndpoints> = Pick<Handlers<typeof whatsappEndpoints>, Name>

export function numberHandlers(
  deps: ProviderQueryDeps,
): Part<'wabas.activate' | 'wabas.phoneNumbers' | 'wabas.analytics' | 'wabas.profile' | 'wabas.saveProfile'> {
  return {
    'wabas.activate': async ({ db, actor, input }) => {
      const { id, isActive } = input.body
      await activateLine(db, { actor, line: await getLine(db, actor.scope, { channel, id }), isActive })
      wakeLanes(db)
      return presentNumber(await getLine(db, actor.scope, { channel, id }))
    },
    'wabas.phoneNumbers': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        if (input.query.mode === 'fresh') await syncAll(scoped, actor, deps)
        return (await scoped((db) => listLines(db, actor.scope, { channel }))).map(presentNumber)
      },
    },
    'wabas.analytics': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { waba_id, phone_number_id, from, to } = input.query
        if (from > to) throw badField('to', 'The last day is before the first')
        const { account, line } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { channel, externalId: waba_id })
          const which = { channel, accountId: found.id, lineId: phone_number_id } as const
          return {
            account: found,
            line: phone_number_id === undefined ? undefined : await getLine(db, actor.scope, which),
          }
        })
        const { manage } = openWhatsapp(account, deps)
        return withProviderErrors(() => manage.analytics.query({ from, to, lineNumber: line?.facts.displayNumber }))
      },
    },
    ...profileHandlers(deps),
  }
}

/** An account that fails does not affect the others; it is an error only if all fail. */
async function syncAll(transaction: RunTransaction, actor: UserActor, deps: ProviderQueryDeps): Promise<void> {
  const accounts = await transaction((db) => listAccounts(db, actor.scope, { channel }))
  const refusals: unknown[] = []
  for (const account of accounts) {
    await withProviderErrors(async () => syncLines(transaction, { account, ...openWhatsapp(account, deps) })).catch(
      (error: unknown) => refusals.push(error),
    )
  }
  if (accounts.length > 0 && refusals.length === accounts.length) throw refusals[0]
}

function profileHandlers(deps: ProviderQueryDeps): Part<'wabas.profile' | 'wabas.saveProfile'> {
  const open = async (scoped: RunTransaction, actor: UserActor, lineId: string) => {
    const { line, account } = await scoped(async (db) => {
      const found = await getLine(db, actor.scope, { channel, lineId })
      return { line: found, account: await getAccount(db, actor.scope, { channel, id: found.provider_account_id }) }
    })
    return { line, ...openWhatsapp(account, deps) }
  }
  return {
    'wabas.profile': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { manage, line } = await open(scoped, actor, input.query.phone_number_id)
        return withProviderErrors(() => manage.profile.get(line.external_id))
      },
    },
    'wabas.saveProfile': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { phone_number_id, profile_picture_handle: pictureHandle, ...profile } = input.body
        const { manage, line } = await open(scoped, actor, phone_number_id)
        await withProviderErrors(() => manage.profile.save(line.external_id, { ...profile, pictureHandle }))
        await scoped((db) => recordProfile(db, actor, line))
        return withProviderErrors(() => manage.profile.get(line.external_id))
      },
    },
  }
}

async function recordProfile(db: Db, actor: UserActor, line: LineRow): Promise<void> {
  await recordAudit(db, {
    organizationId: line.organization_id,
    ...whoActs(actor),
    action: 'whatsapp_number.profile_changed',
    object: { type: 'whatsapp_number', id: line.id },
    details: { name: line.facts.displayNumber },
  })
}
