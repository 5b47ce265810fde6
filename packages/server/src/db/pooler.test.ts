import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildManager, type Account } from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { emptyDatabase } from '../testing/login-user.ts'
import { startPooler, type Pooler, type PoolerOptions } from '../testing/pooler.ts'
import { migrate } from './migrate.ts'
import { asSystem, inScope, openDatabase, type Database } from './pool.ts'
import { requireSessionPooling } from './session-pooling.ts'
import { isUnavailable } from './unavailable.ts'

const sizes = { app: 2, system: 2, owner: 1 }

let own: TestDatabase
let acme: Account
let ends: (() => Promise<unknown>)[]
beforeEach(async () => {
  ends = []
  own = await testDatabase()
  acme = await buildManager(own.database)
  await buildManager(own.database)
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  await own.drop()
})

async function pooler(options: PoolerOptions): Promise<Pooler> {
  const started = await startPooler(own.url, options)
  ends.push(() => started.close())
  return started
}

function open(...options: Parameters<typeof openDatabase>): Database {
  const database = openDatabase(...options)
  ends.push(() => database.close())
  return database
}

/** The role of a manager's request, and the number of accounts it sees. */
async function seen(database: Database): Promise<[role: string, accounts: number]> {
  const scope = { organizationId: acme.organizationId, path: acme.path, descends: false }
  return inScope(database, scope, async (db) => {
    const { rows } = await sql<{ role: string; accounts: number }>`
      select current_user::text as role, (select count(*) from accounts)::int as accounts`.execute(db)
    return [rows[0]?.role ?? '', rows[0]?.accounts ?? 0]
  })
}

const systemRole = (database: Database) =>
  asSystem(database, async (db) => {
    const { rows } = await sql<{ role: string }>`select current_user::text as role`.execute(db)
    return rows[0]?.role
  })

describe('behind a pooler', () => {
  test.each(['ignore', 'reject'] as const)(
    'that pools by session and would %s options, the roles apply',
    async (to) => {
      const { url } = await pooler({ mode: 'session', onOptions: to })
      await requireSessionPooling(url)
      const database = open(url, sizes)
      expect(await seen(database)).toEqual(['carillon_app', 1])
      expect(await systemRole(database)).toBe('carillon_system')
    },
  )

  test('in transaction mode, the start is rejected', async () => {
    const { url } = await pooler({ mode: 'transaction' })
    await expect(requireSessionPooling(url)).rejects.toThrow(
      'The pooler of the database does not pool by session: set pool_mode = session in PgBouncer, or connect to PostgreSQL itself',
    )
  })

  test('that switched to transaction mode after the start, requests keep their role', async () => {
    const { url } = await pooler({ mode: 'transaction' })
    const database = open(url, sizes)
    await seen(database)
    await systemRole(database)
    await database.ownerPool.query('reset role')
    expect(await seen(database)).toEqual(['carillon_app', 1])
  })
})

test('a connection that lost its role still runs under it', async () => {
  const database = open(own.url, { ...sizes, app: 1 })
  await seen(database)
  await sql`reset role`.execute(database.app)
  expect((await sql<{ role: string }>`select current_user::text as role`.execute(database.app)).rows).not.toEqual([
    { role: 'carillon_app' },
  ])
  expect(await seen(database)).toEqual(['carillon_app', 1])
})

describe('a connection that does not get its role is not used', () => {
  test.each([
    ['was revoked', 'revoke', 'The database refuses the role'],
    ['bypasses row level security', 'bypass', 'Row level security does not bind the role'],
  ])('because it %s', async (_, change, message) => {
    const empty = await emptyDatabase({ attributes: 'createrole' })
    ends.push(() => empty.drop())
    await empty.administer(`alter database ${empty.name} owner to ${empty.user}`)
    await migrate(empty.url, empty.roles)
    const database = open(empty.url, sizes, empty.roles)
    await systemRole(database)
    const { app, system } = empty.roles
    const statements = {
      revoke: `revoke ${app}, ${system} from ${empty.user} cascade`,
      bypass: `alter role ${app} bypassrls; alter role ${system} bypassrls`,
    }
    await empty.administer(change === 'revoke' ? statements.revoke : statements.bypass)
    const [outcome] = await Promise.allSettled([seen(database)])
    const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
    expect(reason).toMatchObject({ name: 'DatabaseRoleError', message: expect.stringContaining(message) })
    // Callers are asked to retry, and pending results are kept.
    expect(isUnavailable(reason)).toBe(true)
  })
})
