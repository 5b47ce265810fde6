import type { SmsAccountInput } from '@carillon/contract/channels/sms/sms-accounts'
import { findProvider } from '../../channels/index.ts'
import type { Provider } from '../../channels/provider.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId, newToken } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox, SecretPlace } from '../../lib/secrets.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { goesElsewhere, joinSecrets, parseConfig, splitSecrets } from './provider-config.ts'
import { getSender, type SenderRow } from './senders.queries.ts'

type AccountWrite = { actor: UserActor; input: SmsAccountInput; secretBox: SecretBox }

/** Connects an SMS account: the standing with the provider, and the lane that sends on it. It starts switched off. */
export async function createAccount(db: Db, { actor, input, secretBox }: AccountWrite): Promise<SenderRow> {
  const provider = providerOf(input)
  const { config, secrets } = readNewConfig(undefined, { input, secretBox })
  await assertWithinLimits(db, actor.scope.path, { sms_accounts: 1 })
  const [id, accountId] = [newId(), newId()]
  const place = { table: 'provider_accounts', organizationId: actor.organizationId, id: accountId }
  await db
    .insertInto('provider_accounts')
    .values({
      organization_id: actor.organizationId,
      id: accountId,
      channel: 'sms',
      provider: provider.name,
      name: input.name,
      config: JSON.stringify(config),
      secrets: secretBox.seal(secrets, place),
      secret_names: Object.keys(secrets),
      callback_key: newToken(),
    })
    .execute()
  await db
    .insertInto('senders')
    .values({
      organization_id: actor.organizationId,
      id,
      provider_account_id: accountId,
      channel: 'sms',
      name: input.name,
      headers: [...new Set(input.headers)],
      entity_id: input.entityId ?? null,
      rate_per_second: input.ratePerSecond,
      created_by: actor.accountId,
    })
    .execute()
  await audit(db, { actor, id, action: 'sms_account.created', name: input.name })
  return getSender(db, { scope: actor.scope, channel: 'sms', id })
}

/** Changes an account; omitted secrets are unchanged. A lane that is open is opened anew with the new settings. */
export async function updateAccount(
  db: Db,
  { actor, input, secretBox, id }: AccountWrite & { id: string },
): Promise<SenderRow> {
  const before = await getSender(db, { scope: actor.scope, channel: 'sms', id })
  const { config, secrets: kept } = readNewConfig(before, { input, secretBox })
  const place = placeOf(before)
  await db
    .updateTable('provider_accounts')
    .set({
      name: input.name,
      config: JSON.stringify(config),
      secrets: secretBox.seal(kept, place),
      secret_names: Object.keys(kept),
      updated_at: new Date(),
    })
    .where('organization_id', '=', before.organization_id)
    .where('id', '=', before.provider_account_id)
    .execute()
  await db
    .updateTable('senders')
    .set({
      name: input.name,
      headers: [...new Set(input.headers)],
      entity_id: input.entityId ?? null,
      rate_per_second: input.ratePerSecond,
    })
    .where('organization_id', '=', before.organization_id)
    .where('id', '=', id)
    .execute()
  await audit(db, { actor, id, action: 'sms_account.updated', name: input.name })
  return getSender(db, { scope: actor.scope, channel: 'sms', id })
}

/** The settings as they would be with an input; secrets that are not sent are those of the account before. */
export function readNewConfig(
  before: SenderRow | undefined,
  { input, secretBox }: Pick<AccountWrite, 'input' | 'secretBox'>,
): { config: Record<string, unknown>; secrets: Record<string, string>; parsed: unknown } {
  const provider = providerOf(input)
  const { config, secrets: sent } = splitSecrets(provider, input.config)
  if (!before) return { config, secrets: sent, parsed: parseConfig(provider, joinSecrets(config, sent)) }
  if (provider.name !== before.provider)
    throw conflict('The provider of an account cannot be changed: connect a new account')
  const unsent = before.secret_names.find((name) => sent[name] === undefined)
  if (unsent !== undefined && goesElsewhere(provider, before.config, config)) {
    throw badField(`config.${unsent}`, 'Enter this again: the server address changed')
  }
  const place = placeOf(before)
  const secrets = { ...(unsent === undefined ? {} : openStored(before, { secretBox, place, unsent })), ...sent }
  return { config, secrets, parsed: parseConfig(provider, joinSecrets(config, secrets)) }
}

function placeOf(row: SenderRow): SecretPlace {
  return { table: 'provider_accounts', organizationId: row.organization_id, id: row.provider_account_id }
}

/** What was stored stays; with its key lost, it has to be entered again. */
function openStored(
  { secrets }: SenderRow,
  { secretBox, place, unsent }: { secretBox: SecretBox; place: SecretPlace; unsent: string },
): Record<string, string> {
  try {
    return secrets ? secretBox.open(secrets, place) : {}
  } catch {
    throw badField(`config.${unsent}`, 'Enter this again: the stored value cannot be decrypted')
  }
}

/** Off stops the lane: it takes nothing new and closes its connections. On lets a sender process take it. */
export async function activateAccount(
  db: Db,
  { actor, id, isActive }: { actor: UserActor; id: string; isActive: boolean },
): Promise<SenderRow> {
  const before = await getSender(db, { scope: actor.scope, channel: 'sms', id })
  if (before.is_active !== isActive) {
    await db
      .updateTable('senders')
      .set({ is_active: isActive })
      .where('organization_id', '=', before.organization_id)
      .where('id', '=', id)
      .execute()
    await audit(db, {
      actor,
      id,
      action: isActive ? 'sms_account.activated' : 'sms_account.deactivated',
      name: before.name,
    })
  }
  return getSender(db, { scope: actor.scope, channel: 'sms', id })
}

export function providerOf({ provider }: SmsAccountInput): Provider<unknown> {
  const found = findProvider(provider)
  if (found?.channel !== 'sms') throw badField('provider', 'There is no such provider')
  return found
}

async function audit(
  db: Db,
  { actor, id, action, name }: { actor: UserActor; id: string; action: string; name: string },
) {
  await recordAudit(db, {
    organizationId: actor.organizationId,
    actorId: actor.impersonatedBy ?? actor.accountId,
    subjectId: actor.impersonatedBy ? actor.accountId : undefined,
    action,
    object: { type: 'sms_account', id },
    details: { name },
  })
}
