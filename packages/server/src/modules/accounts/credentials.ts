import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** Replaces the password; a one-time password and the duty to change it end. */
export async function savePassword(
  db: Db,
  { accountId, passwordHash }: { accountId: string; passwordHash: string },
): Promise<{ organization_id: string; email: string }> {
  return db
    .updateTable('accounts')
    .set((row) => ({
      password_hash: passwordHash,
      password_version: row('password_version', '+', 1),
      is_first_login: false,
      one_time_password_by: null,
      one_time_password_until: null,
    }))
    .where('id', '=', accountId)
    .returning(['organization_id', 'email'])
    .executeTakeFirstOrThrow()
}

export type OneTimeHash = { accountId: string; passwordHash: string; setBy: string; validUntil: Date }

/** Replaces the password by one that must be changed at the first login. */
export async function saveOneTimePassword(db: Db, { accountId, passwordHash, setBy, validUntil }: OneTimeHash) {
  await db
    .updateTable('accounts')
    .set((row) => ({
      password_hash: passwordHash,
      password_version: row('password_version', '+', 1),
      is_first_login: true,
      one_time_password_by: setBy,
      one_time_password_until: validUntil,
    }))
    .where('id', '=', accountId)
    .execute()
}

/** Stores a TOTP secret that is not confirmed yet. */
export async function saveTotpSecret(db: Db, accountId: string, secret: Buffer): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ totp_secret: secret, totp_confirmed_at: null, totp_last_step: 0 })
    .where('id', '=', accountId)
    .execute()
}

export type ConfirmedTotp = { at: Date; step: number; recoveryHashes: Buffer[] }

export async function confirmTotpSecret(
  db: Db,
  accountId: string,
  { at, step, recoveryHashes }: ConfirmedTotp,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ totp_confirmed_at: at, totp_last_step: step, recovery_codes: recoveryHashes })
    .where('id', '=', accountId)
    .execute()
}

export async function clearSecondFactor(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: 0, recovery_codes: [] })
    .where('id', '=', accountId)
    .execute()
}

/** Whether the time step was unused; it is used from now on, also for concurrent requests. */
export async function consumeTotpStep(db: Db, accountId: string, step: number): Promise<boolean> {
  const { rows } = await sql`update accounts set totp_last_step = ${step}
    where id = ${accountId}::uuid and totp_last_step < ${step} returning id`.execute(db)
  return rows.length === 1
}

/** Whether the recovery code was unused; it is removed, also for concurrent requests. */
export async function consumeRecoveryCode(db: Db, accountId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`update accounts set recovery_codes = array_remove(recovery_codes, ${hash}::bytea)
    where id = ${accountId}::uuid and ${hash}::bytea = any(recovery_codes) returning id`.execute(db)
  return rows.length === 1
}
