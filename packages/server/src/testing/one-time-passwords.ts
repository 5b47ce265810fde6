import { randomInt } from 'node:crypto'
import type { EndpointName } from '@carillon/contract'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { Account } from './builders.ts'
import type { UncheckedOptions } from './server.ts'

type Own = Record<'mark' | 'oneTimePassword', string>

/** A password of the account that may be sent again, with a code that is not known. */
export async function addOneTimePassword(
  db: Db,
  { id: account_id, organizationId: organization_id, path }: Account,
  own: Own,
) {
  const [now, minuteAgo] = [new Date(), new Date(Date.now() - 60_000)]
  await db
    .insertInto('one_time_passwords')
    .values({
      organization_id,
      id: own.oneTimePassword,
      account_id,
      path,
      environment: 'live',
      // A number gets few codes.
      phone: 919_800_000_000 + randomInt(10_000_000),
      country: 'IN',
      channel: 'sms',
      request: JSON.stringify({
        to: '+919800000000',
        text: `{code} is the code of ${own.mark}`,
        length: 6,
        expirySeconds: 300,
        delivery: 'atMostOnce',
        reference: own.mark,
      }),
      code_hash: Buffer.alloc(32),
      message_id: newId(),
      created_at: minuteAgo,
      sent_at: minuteAgo,
      expires_at: new Date(now.getTime() + 240_000),
    })
    .execute()
}

/** Valid input of the calls for one-time passwords. */
export const otpSamples: Partial<Record<EndpointName, () => UncheckedOptions>> = {
  'otp.send': () => ({ body: { to: '+919876543210', text: 'Your code is {code}' } }),
  'otp.verify': () => ({ body: { code: '123456' } }),
  'otp.resend': () => ({ body: {} }),
}
