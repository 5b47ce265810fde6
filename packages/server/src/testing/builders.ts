import { Module, type Role } from '@carillon/contract/roles'
import { asSystem, type Database, type Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import { createAccount } from '../modules/accounts/index.ts'
import { startSession } from '../modules/auth/sessions.ts'

/** A signed-in test account. */
export type Account = { id: string; organizationId: string; path: string; role: Role; token: string; username: string }

export type AccountOptions = { parent?: Account; modules?: readonly Module[] }

let count = 0

/** Most tests never sign in with a password, so hashing is skipped. */
const unusablePassword = `argon2id$19456$2$${'00'.repeat(16)}$${'00'.repeat(32)}`

async function buildAccount(
  database: Database,
  role: Role,
  { parent, modules = Module.options }: AccountOptions = {},
): Promise<Account> {
  count += 1
  const username = `${role}-${count}-${newId().slice(-6)}`
  return asSystem(database, async (db) => {
    const account = await createAccount(db, {
      parent: parent && { id: parent.id, organizationId: parent.organizationId, path: parent.path, role: parent.role },
      role,
      username,
      email: `${username}@test.example`,
      name: `Name of ${username}`,
      passwordHash: unusablePassword,
      modules: role === 'admin' || role === 'reseller' ? [] : modules,
    })
    const session = await openSession(db, account)
    return { ...account, token: session.token, username }
  })
}

/** A separate session, for calls that end their own. */
export const signIn = (database: Database, account: Account) => asSystem(database, (db) => openSession(db, account))

const openSession = (db: Db, { id, organizationId }: Pick<Account, 'id' | 'organizationId'>) =>
  startSession(db, {
    accountId: id,
    organizationId,
    ip: '127.0.0.1',
    userAgent: 'test',
    now: new Date(),
    hours: 12,
  })

export const buildAdmin = (database: Database) => buildAccount(database, 'admin')
export const buildReseller = (database: Database, options?: AccountOptions) =>
  buildAccount(database, 'reseller', options)
export const buildManager = (database: Database, options?: AccountOptions) => buildAccount(database, 'manager', options)
export const buildUser = (database: Database, options?: AccountOptions) => buildAccount(database, 'user', options)
export const buildDepartmentHead = (database: Database, options?: AccountOptions) =>
  buildAccount(database, 'department_head', options)

/** One account of each role, each below the previous one, and a manager of another reseller. */
export async function buildTree(database: Database) {
  const admin = await buildAdmin(database)
  const reseller = await buildReseller(database, { parent: admin })
  const manager = await buildManager(database, { parent: reseller })
  const head = await buildDepartmentHead(database, { parent: manager })
  const user = await buildUser(database, { parent: head })
  const foreign = await buildManager(database, { parent: await buildReseller(database, { parent: admin }) })
  return { admin, reseller, manager, head, user, foreign }
}
