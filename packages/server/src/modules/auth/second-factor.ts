import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Db } from '../../db/pool.ts'
import { sha256 } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { confirmTotpSecret, consumeRecoveryCode, consumeTotpStep, saveTotpSecret } from '../accounts/index.ts'

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
  await saveTotpSecret(db, account.id, box.seal({ totp: secret }, placeOf(account)))
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
  await confirmTotpSecret(db, account.id, { at: now, step, recoveryHashes: codes.map((one) => sha256(one)) })
  return codes.map((one) => `${one.slice(0, 5)}-${one.slice(5)}`)
}

/** Verifies a TOTP or recovery code; each works once, also for concurrent requests. */
export async function consumeCode(
  db: Db,
  { account, box, code, now }: { account: FactorOwner; box: SecretBox; code: string; now: Date },
): Promise<boolean> {
  if (/^\d{6}$/.test(code)) {
    const step = stepOf(account, { box, code, now })
    if (step === undefined) return false
    return consumeTotpStep(db, account.id, step)
  }
  return consumeRecoveryCode(db, account.id, sha256(code.replaceAll(/[\s-]/g, '').toLowerCase()))
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
