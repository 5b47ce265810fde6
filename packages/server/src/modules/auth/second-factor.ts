import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { sha256 } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'

/** A phone's clock may be one step off. */
const toleranceSeconds = 30
const recoveryCodeCount = 10

export type FactorOwner = {
  id: string
  organization_id: string
  totp_secret: Buffer | null
  totp_last_step: number
  recovery_codes: Buffer[]
}

const placeOf = ({ id, organization_id }: { id: string; organization_id: string }) => ({
  table: 'accounts',
  organizationId: organization_id,
  id,
})

/** Creates a secret; it takes effect once a code of it was entered. */
export async function beginTotp(
  db: Db,
  { account, box, issuer }: { account: FactorOwner & { email: string }; box: SecretBox; issuer: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  await db
    .updateTable('accounts')
    .set({ totp_secret: box.seal({ totp: secret }, placeOf(account)), totp_confirmed_at: null, totp_last_step: 0 })
    .where('id', '=', account.id)
    .execute()
  return { secret, uri: generateURI({ issuer, label: account.email, secret }) }
}

/** Verifies the first code; returns recovery codes, of which only hashes are stored. */
export async function confirmTotp(
  db: Db,
  { account, box, code, now }: { account: FactorOwner; box: SecretBox; code: string; now: Date },
): Promise<string[]> {
  if (!account.totp_secret) throw conflict('Begin with a new secret first')
  const step = stepOf(account, { box, code, now })
  if (step === undefined) throw badField('code', 'Wrong code: enter the current one from the app')
  const codes = Array.from({ length: recoveryCodeCount }, () => randomBytes(5).toString('hex'))
  await db
    .updateTable('accounts')
    .set({ totp_confirmed_at: now, totp_last_step: step, recovery_codes: codes.map((one) => sha256(one)) })
    .where('id', '=', account.id)
    .execute()
  return codes.map((one) => `${one.slice(0, 5)}-${one.slice(5)}`)
}

export async function removeTotp(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: 0, recovery_codes: [] })
    .where('id', '=', accountId)
    .execute()
}

/** Verifies a TOTP or recovery code; each works once, also for concurrent requests. */
export async function consumeCode(
  db: Db,
  { account, box, code, now }: { account: FactorOwner; box: SecretBox; code: string; now: Date },
): Promise<boolean> {
  if (/^\d{6}$/.test(code)) {
    const step = stepOf(account, { box, code, now })
    if (step === undefined) return false
    const { rows } = await sql`update accounts set totp_last_step = ${step}
      where id = ${account.id}::uuid and totp_last_step < ${step} returning id`.execute(db)
    return rows.length === 1
  }
  const hash = sha256(code.replaceAll(/[\s-]/g, '').toLowerCase())
  const { rows } = await sql`update accounts set recovery_codes = array_remove(recovery_codes, ${hash}::bytea)
    where id = ${account.id}::uuid and ${hash}::bytea = any(recovery_codes) returning id`.execute(db)
  return rows.length === 1
}

/** The time step of a code; undefined if it is wrong or was used. */
function stepOf(
  account: FactorOwner,
  { box, code, now }: { box: SecretBox; code: string; now: Date },
): number | undefined {
  if (!account.totp_secret) return undefined
  const { totp } = box.open(account.totp_secret, placeOf(account))
  const result = verifySync({
    secret: totp ?? '',
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: toleranceSeconds,
    ...(account.totp_last_step > 0 ? { afterTimeStep: account.totp_last_step } : {}),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
