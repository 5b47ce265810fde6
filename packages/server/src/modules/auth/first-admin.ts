import type { FirstAdmin } from '@carillon/contract/auth'
import { sql } from 'kysely'
import { asSystem, type Database, type Db, type RunTransaction } from '../../db/pool.ts'
import { newToken, sha256 } from '../../lib/ids.ts'
import { badField } from '../../lib/problem.ts'
import { createAccount } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword } from './passwords.ts'

const stateKey = 'first_admin'
const validHours = 24

/** A token for the link that creates the first admin; undefined once any account exists. */
export async function offerFirstAdmin(database: Database, now: Date): Promise<string | undefined> {
  return asSystem(database, async (db) => {
    if (await hasAccounts(db)) return undefined
    const token = newToken()
    const value = {
      hash: sha256(token).toString('hex'),
      expiresAt: new Date(now.getTime() + validHours * 3_600_000).toISOString(),
    }
    await sql`insert into system_state (key, value) values (${stateKey}, ${JSON.stringify(value)}::jsonb)
      on conflict (key) do update set value = excluded.value`.execute(db)
    return token
  })
}

/** Consumes the token and creates the account in one transaction: the link works once, and only without other accounts. */
export async function createFirstAdmin(
  transaction: RunTransaction,
  { token, password, ...person }: FirstAdmin,
  now: Date,
): Promise<void> {
  checkPassword(password, { ...person, role: 'admin', hasTotp: false }, 'password')
  // Checked before as well, so that an invalid link costs no hash.
  if (!(await transaction((db) => isFirstAdminOffer(db, token, now)))) throw invalidLink()
  const passwordHash = await hashPassword(password)
  await transaction(async (db) => {
    const { rows } = await sql<{
      value: { hash: string; expiresAt: string }
    }>`delete from system_state where key = ${stateKey} returning value`.execute(db)
    const offer = rows[0]?.value
    const isValid =
      offer !== undefined && offer.hash === sha256(token).toString('hex') && Date.parse(offer.expiresAt) > now.getTime()
    if (!isValid || (await hasAccounts(db))) throw invalidLink()

    const admin = await createAccount(db, { ...person, parent: undefined, role: 'admin', passwordHash, modules: [] })
    await recordAudit(db, {
      organizationId: admin.organizationId,
      actorId: admin.id,
      action: 'account.created',
      object: { type: 'account', id: admin.id },
    })
  })
}

const invalidLink = () => badField('token', 'This link is no longer valid: start Carillon again for a new one')

/** Whether the token can still create the first admin. */
export async function isFirstAdminOffer(db: Db, token: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{
    value: { hash: string; expiresAt: string }
  }>`select value from system_state where key = ${stateKey}`.execute(db)
  const offer = rows[0]?.value
  return (
    offer !== undefined &&
    offer.hash === sha256(token).toString('hex') &&
    Date.parse(offer.expiresAt) > now.getTime() &&
    !(await hasAccounts(db))
  )
}

async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}
