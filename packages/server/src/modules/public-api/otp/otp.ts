import { timingSafeEqual } from 'node:crypto'
import { Channel } from '@carillon/contract/channels'
import type { Answer } from '@carillon/contract/endpoint'
import {
  otpExpirySeconds,
  otpLegSeconds,
  otpLength,
  otpResendSeconds,
  otpTries,
  type OtpLeg,
  type OtpRequest,
  type otpEndpoints,
} from '@carillon/contract/otp'
import type { KeyConfigPayload } from '@carillon/contract/key-config-records'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import type { OneTimePasswords } from '../../../db/schema.ts'
import { defined } from '../../../lib/defined.ts'
import { badField, notFound } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secrets.ts'
import { endLegs } from '../../messages/index.ts'
import { endTestLegs } from '../../sandbox/index.ts'

/** A request with what the key config or we choose where it leaves it open. */
export type CompleteRequest = OtpRequest & {
  length: number
  expirySeconds: number
  maxTries: number
  resendAfterSeconds: number
}

export type OtpRow = Omit<Selectable<OneTimePasswords>, 'request'> & { request: CompleteRequest }
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

const usualTerms = {
  length: otpLength,
  expirySeconds: otpExpirySeconds,
  maxTries: otpTries,
  resendAfterSeconds: otpResendSeconds,
}

type OtpRules = KeyConfigPayload['otp']

/** Throws if neither the request nor the config has a text or a template. */
export function completeRequest(
  request: OtpRequest,
  { templateIds, ...terms }: OtpRules = { templateIds: [] },
): CompleteRequest {
  const { length, expirySeconds } = request
  return {
    ...request,
    ...usualTerms,
    ...defined(terms),
    ...defined({ length, expirySeconds }),
    ...contentOf(request, templateIds),
  }
}

function contentOf(
  { template, text, legs }: OtpRequest,
  templateIds: readonly string[],
): Partial<Omit<OtpRequest, 'length' | 'expirySeconds'>> {
  if (template !== undefined || text !== undefined) return {}
  const [first, ...others] = templateIds.map((id): OtpLeg => ({ template: { id, values: {} } }))
  if (!first) throw badField('text', 'Enter one of template and text')
  return { ...first, legs: legs ?? others }
}

/** When a leg is sent whose entry conditions are left out. */
export const usualOtpConditions: NonNullable<OtpLeg['entryConditions']> = [
  { type: 'failed' },
  { type: 'undelivered_after', afterSeconds: otpLegSeconds },
]

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
  // Requests of earlier releases have no limits of their own.
  return { ...row, request: { ...row.request, ...limitsOf(row.request) } }
}

function limitsOf({ maxTries, resendAfterSeconds }: Partial<CompleteRequest>) {
  return { maxTries: maxTries ?? otpTries, resendAfterSeconds: resendAfterSeconds ?? otpResendSeconds }
}

export function stateOf(row: OtpRow, now: Date): PublicOtp['status'] {
  if (row.verified_at) return 'verified'
  if (row.tries >= row.request.maxTries) return 'exhausted'
  return row.expires_at <= now ? 'expired' : 'pending'
}

export function presentOtp(row: OtpRow | undefined, now: Date): PublicOtp {
  if (!row) throw new Error('The password was not stored')
  const { reference, maxTries, resendAfterSeconds } = row.request
  return {
    id: row.id,
    to: `+${row.phone}`,
    status: stateOf(row, now),
    channel: Channel.parse(row.channel),
    messageId: row.message_id,
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.sent_at.getTime() + resendAfterSeconds * 1000).toISOString(),
    triesLeft: maxTries - row.tries,
    ...(reference === undefined ? {} : { reference }),
  }
}

type Verifying = { actor: UserActor; id: string; code: string; secretBox: SecretBox; now: Date }

/** Counts a wrong code, and ends the password with the right one. The row is locked, so concurrent guesses are counted one by one. */
export async function verifyOtp(db: Db, { actor, id, code, secretBox, now }: Verifying): Promise<Verdict> {
  const row = await lockOtp(db, { actor, id })
  const { maxTries } = row.request
  const state = stateOf(row, now)
  if (state !== 'pending') return { valid: false, status: state, triesLeft: maxTries - row.tries }
  const valid = timingSafeEqual(
    row.code_hash,
    hashCode(secretBox, { organizationId: row.organization_id, id: row.id }, code),
  )
  const tries = valid ? row.tries : row.tries + 1
  await sql`update one_time_passwords set tries = ${tries}, verified_at = ${valid ? now : null}
    where organization_id = ${row.organization_id} and id = ${row.id}`.execute(db)
  const { organization_id: organizationId, environment, message_id: messageId } = row
  if (valid || tries >= maxTries) await endOtpLegs(db, organizationId, { environment, messageIds: [messageId], now })
  const status = stateOf({ ...row, tries, verified_at: valid ? now : null }, now)
  return { valid, status, triesLeft: maxTries - tries }
}

type Ending = { environment: string; messageIds: readonly string[]; now: Date }

/** A code that was verified, or is void, is not sent again by another channel. */
export async function endOtpLegs(
  db: Db,
  organizationId: string,
  { environment, messageIds, now }: Ending,
): Promise<void> {
  if (environment === 'test') await endTestLegs(db, { organizationId, messageIds, now })
  else await endLegs(db, { organizationId, messageIds })
}
