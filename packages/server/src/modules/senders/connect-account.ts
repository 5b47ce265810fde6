import type {
  WhatsappConnectionChange,
  WhatsappConnectionInput,
} from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { sql, type UpdateObject } from 'kysely'
import type { z } from 'zod'
import { listProviders } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import type { Db } from '../../db/pool.ts'
import type { DB } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken } from '../../lib/ids.ts'
import { badField, conflict, Problem } from '../../lib/problem.ts'
import type { SecretBox, SecretPlace } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { listAccounts, type ProviderAccount } from './provider-accounts.ts'
import { goesElsewhere, joinSecrets, parseConfig, splitSecrets } from './provider-config.ts'

type Fields = Record<string, unknown>
type Changed = z.infer<typeof WhatsappConnectionChange>
type NewConnection = WhatsappConnectionInput & { solutionId?: string | null }

/** Keeps a connection as it was entered, or takes up again one that was disconnected. Whether it works is seen by its steps. */
export async function createConnection(
  db: Db,
  { actor, input, secretBox }: { actor: UserActor; input: NewConnection; secretBox: SecretBox },
): Promise<string> {
  const provider = whatsappProvider()
  const whole = { ...settingsOf(input), wabaId: input.waba_id, verifyToken: newToken() }
  const { config, secrets } = splitSecrets(provider, whole)
  checkSettings(provider, joinSecrets(config, secrets))
  const [known] = await listAccounts(db, actor.scope, { externalId: input.waba_id, isDisconnected: true })
  const id = known?.id ?? newId()
  const place = { table: 'provider_accounts', organizationId: actor.organizationId, id }
  const row = {
    provider: provider.name,
    name: input.name ?? `WhatsApp ${input.waba_id}`,
    config: JSON.stringify(config),
    secrets: secretBox.seal(secrets, place),
    secret_names: Object.keys(secrets),
    setup: JSON.stringify({ createdBy: actor.accountId, solutionId: input.solutionId ?? null }),
  }
  if (known) await update(db, known, row)
  else
    await refuseSecond(
      db
        .insertInto('provider_accounts')
        .values({
          ...row,
          organization_id: actor.organizationId,
          id,
          channel: 'whatsapp',
          external_id: input.waba_id,
          callback_key: newToken(),
        })
        .execute(),
    )
  const account = { id, organization_id: actor.organizationId, name: row.name }
  await audit(db, { actor, account }, 'connected')
  return id
}

/** Changes what was entered; secrets that are not sent stay, unless they would go elsewhere. */
export async function changeConnection(
  db: Db,
  change: { actor: UserActor; account: ProviderAccount; input: Changed; secretBox: SecretBox },
): Promise<void> {
  const { actor, account, input, secretBox } = change
  const provider = whatsappProvider()
  const given = splitSecrets(provider, settingsOf(input))
  const config = { ...account.config, ...given.config }
  const place = { table: 'provider_accounts', organizationId: account.organization_id, id: account.id }
  const isElsewhere = goesElsewhere(provider, account.config, config)
  const unsent = (['accessToken', 'appSecret'] as const).find((name) => given.secrets[name] === undefined)
  if (unsent && isElsewhere) throw badField(unsent, 'Enter this again: the server address changed')
  const secrets = { ...openStored(account, { secretBox, place, unsent }), ...given.secrets }
  checkSettings(provider, joinSecrets(config, secrets))
  await update(db, account, {
    name: input.name ?? account.name,
    config: JSON.stringify(config),
    secrets: secretBox.seal(secrets, place),
    secret_names: Object.keys(secrets),
    // They are taken again; what was registered and tested stays so.
    setup: sql`setup #- '{steps,token}' #- '{steps,account}' #- '{steps,subscription}' #- '{steps,webhook}'`,
  })
  await audit(db, { actor, account }, 'changed')
}

/** Forgets the secrets and closes the callback address; what was sent stays, and so may the account come back. */
export async function disconnect(db: Db, actor: UserActor, account: ProviderAccount): Promise<void> {
  await update(db, account, {
    secrets: null,
    secret_names: [],
    callback_key: newToken(),
    setup: JSON.stringify({ disconnectedAt: new Date().toISOString() }),
  })
  await db
    .updateTable('senders')
    .set({ is_active: false })
    .where('organization_id', '=', account.organization_id)
    .where('provider_account_id', '=', account.id)
    .execute()
  await audit(db, { actor, account }, 'disconnected')
}

/** Who carries WhatsApp: as long as there is one of them, nobody is asked which. */
export function whatsappProvider(): Provider<unknown> {
  const [provider] = listProviders('whatsapp')
  if (!provider) throw conflict('This program has no provider for WhatsApp')
  return provider
}

/** What is typed in, by the names of the provider's settings. */
function settingsOf(input: Changed): Fields {
  const { accessToken, appId, appSecret, graphUrl, graphVersion } = input
  const given = Object.entries({ accessToken, appId, appSecret, graphUrl, graphVersion })
  return Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== ''))
}

/** Complaints of the provider's schema are named by the fields of the form. */
function checkSettings(provider: Provider<unknown>, config: Fields): void {
  try {
    parseConfig(provider, config)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const details = error.details?.map(({ field, message }) => ({ field: field.replace(/^config\./, ''), message }))
    throw new Problem(error.code, error.message, details ? { details } : {})
  }
}

function openStored(
  { secrets }: ProviderAccount,
  { secretBox, place, unsent }: { secretBox: SecretBox; place: SecretPlace; unsent: string | undefined },
): Record<string, string> {
  try {
    return secrets ? secretBox.open(secrets, place) : { verifyToken: newToken() }
  } catch {
    if (unsent === undefined) return { verifyToken: newToken() }
    throw badField(unsent, 'Enter this again: the stored value cannot be decrypted')
  }
}

type Change = UpdateObject<DB, 'provider_accounts'>

async function update(db: Db, { organization_id, id }: ProviderAccount, change: Change): Promise<void> {
  await db
    .updateTable('provider_accounts')
    .set({ ...change, updated_at: new Date() })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

async function refuseSecond(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505')
      throw conflict('This WhatsApp account is connected already')
    throw error
  }
}

type ConnectionChange = { actor: UserActor; account: Pick<ProviderAccount, 'id' | 'organization_id' | 'name'> }

async function audit(
  db: Db,
  { actor, account }: ConnectionChange,
  deed: 'connected' | 'changed' | 'disconnected',
): Promise<void> {
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: `whatsapp_account.${deed}`,
    object: { type: 'whatsapp_account', id: account.id },
    details: { name: account.name },
  })
}
