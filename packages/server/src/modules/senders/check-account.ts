import type { SmsAccountInput } from '@carillon/contract/channels/sms/sms-accounts'
import type { ConnectionCheck } from '@carillon/contract/senders'
import type { ProviderIo } from '../../channels/provider.ts'
import type { RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { providerOf, readNewConfig } from './write-account.ts'
import { getSender } from './senders.queries.ts'

export type CheckDeps = { secretBox: SecretBox; io: Pick<ProviderIo, 'clock' | 'egress'> }

type Check = {
  scoped: RunTransaction
  actor: UserActor
  /** The account as it would be saved; with the id of an existing account, whose stored secrets may be omitted. */
  input: SmsAccountInput & { id?: string | undefined }
}

/** Connects as the account would, and says what the provider says. Nothing is saved, and no connection of the database is held. */
export async function checkAccount(
  { scoped, actor, input: { id, ...input } }: Check,
  { secretBox, io }: CheckDeps,
): Promise<ConnectionCheck> {
  const provider = providerOf(input)
  const config = await scoped(async (db) => {
    const before = id ? await getSender(db, { scope: actor.scope, channel: 'sms', id }) : undefined
    return readNewConfig(before, { input, secretBox }).parsed
  })
  return provider.probe ? provider.probe(config, io) : { isConnected: true }
}
