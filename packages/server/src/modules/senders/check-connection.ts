import type { Channel } from '@carillon/contract/channels'
import type { ConnectionCheck } from '@carillon/contract/senders'
import type { ProviderCallIo } from '../../channels/provider.ts'
import type { RunTransaction } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { getSender } from './senders.queries.ts'
import { providerOf, readSenderSettings, type SenderInput } from './write-sender.ts'

type Check = {
  scoped: RunTransaction
  actor: UserActor
  channel: Channel
  /** The sender as it would be saved; with the id of an existing one, whose stored secrets may be omitted. */
  input: SenderInput & { id?: string | undefined }
}

/** Connects as the sender would, and returns the provider's answer. Saves nothing. */
export async function checkConnection(
  { scoped, actor, channel, input: { id, ...input } }: Check,
  { secretBox, io }: { secretBox: SecretBox; io: ProviderCallIo },
): Promise<ConnectionCheck> {
  const provider = providerOf(channel, input)
  const config = await scoped(async (db) => {
    const before = id ? await getSender(db, { scope: actor.scope, channel, id }) : undefined
    return readSenderSettings(before, { channel, input, secretBox }).parsed
  })
  return provider.probe ? provider.probe(config, io) : { isConnected: true }
}
