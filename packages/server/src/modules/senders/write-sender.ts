import type { Channel } from '@carillon/contract/channels'
import { findProvider, getChannel } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import type { Db } from '../../db/pool.ts'
import type { Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { readSettings, sealSettings, type Settings } from './account-settings.ts'
import { updateAccountRow } from './provider-accounts.ts'
import { getSender, type SenderRow } from './senders.queries.ts'

/** A sender with its own provider account. */
export type SenderInput = {
  name: string
  provider: string
  headers: readonly string[]
  entityId?: string | undefined
  ratePerSecond: number
  config: Record<string, unknown>
}

type SenderWrite = {
  actor: UserActor
  channel: Channel
  input: SenderInput
  secretBox: SecretBox
  /** The organisation, if it is not the actor's own. */
  scope?: Scope
}

/** A sender that its provider knows by an id, which our own may follow. */
type Named = { id: string; externalId: string; facts: object }

/** Creates an inactive sender with its account. */
export async function createSender(db: Db, write: SenderWrite & { named?: Named }): Promise<SenderRow> {
  const { actor, channel, input, secretBox, named, scope = actor.scope } = write
  const settings = readSenderSettings(undefined, { channel, input, secretBox })
  const { limit } = getChannel(channel).accounts
  if (limit) await assertWithinLimits(db, scope.path, { [limit]: 1 })
  const { organizationId } = scope
  const [id, accountId] = [named?.id ?? newId(), newId()]
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id: organizationId,
      id: accountId,
      channel,
      provider: input.provider,
      name: input.name,
      ...sealSettings(settings, { organizationId, accountId }, secretBox),
      external_id: externalIdOf(channel, input, settings),
      callback_key: newToken(),
    })
    .execute()
  await db
    .insertInto('senders')
    .values({
      organization_id: organizationId,
      id,
      provider_account_id: accountId,
      channel,
      created_by: write.scope ? organizationId : actor.accountId,
      ...(named ? { external_id: named.externalId, facts: JSON.stringify(named.facts) } : {}),
      ...columnsOf(input),
    })
    .execute()
  await audit(db, { actor, channel, id, organizationId, event: 'created', name: input.name })
  return getSender(db, { scope, channel, id })
}

/** Changes a sender and its account; omitted secrets are unchanged. An open lane is reopened with the new settings. */
export async function updateSender(
  db: Db,
  { actor, channel, input, secretBox, id, scope = actor.scope }: SenderWrite & { id: string },
): Promise<SenderRow> {
  const before = await getSender(db, { scope, channel, id })
  const { organization_id: organizationId, provider_account_id: accountId } = before
  const settings = readSenderSettings(before, { channel, input, secretBox })
  await updateAccountRow(
    db,
    { organization_id: organizationId, id: accountId },
    {
      name: input.name,
      ...sealSettings(settings, { organizationId, accountId }, secretBox),
      external_id: externalIdOf(channel, input, settings),
    },
  )
  await db
    .updateTable('senders')
    .set(columnsOf(input))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await audit(db, { actor, channel, id, organizationId, event: 'updated', name: input.name })
  return getSender(db, { scope, channel, id })
}

function columnsOf({ name, headers, entityId, ratePerSecond }: SenderInput) {
  return { name, headers: [...new Set(headers)], entity_id: entityId ?? null, rate_per_second: ratePerSecond }
}

function externalIdOf(channel: Channel, input: SenderInput, { parsed }: Settings): string | null {
  return providerOf(channel, input).externalIdOf?.(parsed) ?? null
}

/** The settings of a new sender, or those of an existing one with an input's changes. */
export function readSenderSettings(
  before: SenderRow | undefined,
  { channel, input, secretBox }: Omit<SenderWrite, 'actor' | 'scope'>,
): Settings {
  const provider = providerOf(channel, input)
  if (before && provider.name !== before.provider)
    throw conflict('The provider of an account cannot be changed: connect a new account')
  const stored = before && {
    organizationId: before.organization_id,
    accountId: before.provider_account_id,
    config: before.config,
    secrets: before.secrets,
    secretNames: before.secret_names,
  }
  return readSettings(provider, { entered: { config: input.config }, stored, secretBox })
}

export function providerOf(channel: Channel, { provider }: Pick<SenderInput, 'provider'>): Provider<unknown> {
  const found = findProvider(provider)
  if (found?.channel !== channel) throw badField('provider', 'There is no such provider')
  return found
}

type SenderEvent = {
  actor: UserActor
  channel: Channel
  id: string
  organizationId: string
  event: 'created' | 'updated'
  name: string
}

async function audit(db: Db, { actor, channel, id, organizationId, event, name }: SenderEvent): Promise<void> {
  const { audited } = getChannel(channel).accounts
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: `${audited.sender}.${event}`,
    object: { type: audited.sender, id },
    details: { name },
  })
}
