import { timingSafeEqual } from 'node:crypto'
import { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import { otpResendSeconds, otpTries, type OtpRequest, type otpEndpoints } from '@carillon/contract/otp'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import type { OneTimePasswords } from '../../../db/schema.ts'
import { notFound } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secrets.ts'

export type OtpRow = Omit<Selectable<OneTimePasswords>, 'request'> & { request: OtpRequest }
export type PublicOtp = Answer<(typeof otpEndpoints)['otp.send']>
type Verdict = Answer<(typeof otpEndpoints)['otp.verify']>

/** A code has few possible values, so its hash needs the installation's key. */
export function hashCode(
  secretBox: SecretBox,
  { organizationId, id }: { organizationId: string; id: string },
  code: string,
): Buffer {
  return secretBox.hash(code, { table: 'one_time_passwords', organizationId, id })
}

type Place = { actor: UserActor; id: string }

/** A password of the caller, of its key's environment, locked until the end of the transaction. */
export async function lockOtp(db: Db, place: Place): Promise<OtpRow> {
  return find(db, place, sql`for update`)
}

export async function getOtp(db: Db, place: Place & { now: Date }): Promise<PublicOtp> {
  return presentOtp(await find(db, place, sql``), place.now)
}

async function find(db: Db, { actor, id }: Place, lock: RawBuilder<unknown>): Promise<OtpRow> {
  const { rows } = await sql<OtpRow>`
    select * from one_time_passwords
    where organization_id = ${actor.organizationId} and id = ${id}::uuid and account_id = ${actor.accountId}
      and environment = ${actor.apiKey?.environment ?? 'live'}
    ${lock}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('One-time password')
  return row
}

export function stateOf(row: OtpRow, now: Date): PublicOtp['status'] {
  if (row.verified_at) return 'verified'
  if (row.tries >= otpTries) return 'exhausted'
  return row.expires_at <= now ? 'expired' : 'pending'
}

export function presentOtp(row: OtpRow | undefined, now: Date): PublicOtp {
  if (!row) throw new Error('The password was not stored')
  const { reference } = row.request
  return {
    id: row.id,
    to: `+${row.phone}`,
    status: stateOf(row, now),
    channel: Channel.parse(row.channel),
    messageId: row.message_id,
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.sent_at.getTime() + otpResendSeconds * 1000).toISOString(),
    triesLeft: otpTries - row.tries,
    ...(reference === undefined ? {} : { reference }),
  }
}

type Verifying = { actor: UserActor; id: string; code: string; secretBox: SecretBox; now: Date }

/** Counts a wrong code, and ends the password with the right one. The row is locked, so concurrent guesses are counted one by one. */
export async function verifyOtp(db: Db, { actor, id, code, secretBox, now }: Verifying): Promise<Verdict> {
  const row = await lockOtp(db, { actor, id })
  const state = stateOf(row, now)
  if (state !== 'pending') return { valid: false, status: state, triesLeft: otpTries - row.tries }
  const valid = timingSafeEqual(
    row.code_hash,
    hashCode(secretBox, { organizationId: row.organization_id, id: row.id }, code),
  )
  const tries = valid ? row.tries : row.tries + 1
  await sql`update one_time_passwords set tries = ${tries}, verified_at = ${valid ? now : null}
    where organization_id = ${row.organization_id} and id = ${row.id}`.execute(db)
  const status = stateOf({ ...row, tries, verified_at: valid ? now : null }, now)
  return { valid, status, triesLeft: otpTries - tries }
}
