import type { EndpointName } from '@carillon/contract'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { newSystemId } from '../modules/smpp-server/secrets.ts'
import type { Account } from './builders.ts'
import type { UncheckedOptions } from './server.ts'

type Own = Record<'apiKey' | 'smppCredential', string>

/** Credentials of the account’s key. */
export async function addSmppCredential(
  db: Db,
  { id: account_id, organizationId: organization_id }: Account,
  own: Own,
) {
  await db
    .insertInto('smpp_credentials')
    .values({
      organization_id,
      id: own.smppCredential,
      account_id,
      api_key_id: own.apiKey,
      system_id: newSystemId(),
      password_hash: Buffer.from('hashed with another key'),
      addresses: ['203.0.113.7'],
      maximum_sessions: 2,
    })
    .execute()
}

/** Valid input of the calls for SMPP credentials, apart from ids. */
export const smppSamples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'smppCredentials.create': () => ({ body: { apiKeyId: newId(), addresses: ['203.0.113.0/24'] } }),
  'smppCredentials.update': () => ({ body: { maximumSessions: 3 } }),
  'smppCredentials.newPassword': () => ({ body: {} }),
}
