import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { getChannel, listProviders } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import type { Db } from '../../db/pool.ts'
import { refuseDuplicate } from '../../db/refuse-duplicate.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken } from '../../lib/ids.ts'
import { conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { readSettings, sealSettings, type EnteredSettings } from './account-settings.ts'
import { listAccounts, updateAccountRow, type ProviderAccount } from './provider-accounts.ts'

type NewAccount = {
  actor: UserActor
  channel: Channel
  secretBox: SecretBox
  input: EnteredSettings & {
    name: string
    /** The provider's id of the account. */
    externalId: string
    /** What the channel stores about the connection besides its steps. */
    setup?: Record<string, unknown>
  }
}

/**
 * Stores an account with the entered settings, or reconnects a disconnected one. The connection steps show whether it works.
 */
export async function connectAccount(db: Db, { actor, channel, secretBox, input }: NewAccount): Promise<string> {
  const { name, externalId, setup } = input
  const { organizationId } = actor
  const provider = providerOfAccounts(channel)
  const settings = readSettings(provider, { entered: input, stored: undefined, secretBox })
  const [known] = await listAccounts(db, actor.scope, { channel, externalId, isDisconnected: true })
  const id = known?.id ?? newId()
  const row = {
    provider: provider.name,
    name,
    ...sealSettings(settings, { organizationId, accountId: id }, secretBox),
    setup: JSON.stringify({ createdBy: actor.accountId, ...setup }),
  }
  if (known) await updateAccountRow(db, known, row)
  else
    await refuseDuplicate(
      db
        .insertInto('provider_accounts')
        .values({
          ...row,
          organization_id: organizationId,
          id,
          channel,
          external_id: externalId,
          callback_key: newToken(),
        })
        .execute(),
      conflict(`This ${getChannel(channel).accounts.name} is connected already`),
    )
  await audit(db, { actor, account: { id, organization_id: organizationId, channel, name } }, 'connected')
  return id
}

type AccountChange = {
  actor: UserActor
  account: ProviderAccount
  secretBox: SecretBox
  input: EnteredSettings & { name?: string | undefined }
  /** Steps whose results are no longer valid. */
  undoneSteps: readonly string[]
}

/** Changes settings; omitted secrets are unchanged, unless they would be sent to another server. */
export async function changeAccount(
  db: Db,
  { actor, account, secretBox, input, undoneSteps }: AccountChange,
): Promise<void> {
  const { organization_id: organizationId, id: accountId, config, secrets, secret_names: secretNames } = account
  const stored = { organizationId, accountId, config, secrets, secretNames }
  const entered = { ...input, config: { ...config, ...input.config } }
  const settings = readSettings(providerOfAccounts(account.channel), { entered, stored, secretBox })
  await updateAccountRow(db, account, {
    name: input.name ?? account.name,
    ...sealSettings(settings, { organizationId, accountId }, secretBox),
    setup: sql`jsonb_set(setup, '{steps}', coalesce(setup -> 'steps', '{}') - ${undoneSteps}::text[])`,
  })
  await audit(db, { actor, account }, 'changed')
}

/** Deletes the secrets and closes the callback URL. Sent messages stay, and the account can be connected again. */
export async function disconnectAccount(db: Db, actor: UserActor, account: ProviderAccount): Promise<void> {
  await updateAccountRow(db, account, {
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

/** The only provider of a channel; calls need not name it. */
export function providerOfAccounts(channel: Channel): Provider<unknown> {
  const [provider] = listProviders(channel)
  if (!provider) throw conflict(`This version has no provider for ${getChannel(channel).label}`)
  return provider
}

type AccountEvent = {
  actor: UserActor
  account: Pick<ProviderAccount, 'id' | 'organization_id' | 'channel' | 'name'>
}

async function audit(
  db: Db,
  { actor, account }: AccountEvent,
  event: 'connected' | 'changed' | 'disconnected',
): Promise<void> {
  const { audited } = getChannel(account.channel).accounts
  await recordAudit(db, {
    organizationId: account.organization_id,
    ...whoActs(actor),
    action: `${audited.account}.${event}`,
    object: { type: audited.account, id: account.id },
    details: { name: account.name },
  })
}
