import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordAudit } from '../modules/audit/index.ts'
import { fingerprint } from '../testing/fingerprint.ts'
import { buildFixtures, type Fixtures } from '../testing/fixtures.ts'
import {
  buildAdmin,
  buildDepartmentHead,
  buildManager,
  buildReseller,
  buildUser,
  type Account,
} from '../testing/builders.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { asSystem, inScope, readInScope, type Db } from './pool.ts'
import type { Scope } from './scope.ts'

let own: TestDatabase
let admin: Account
let reseller: Account
let acme: Account
let head: Account
let user: Account
let foreign: Account
let acmeHas: Fixtures
let foreignHas: Fixtures

beforeAll(async () => {
  own = await testDatabase()
  admin = await buildAdmin(own.database)
  reseller = await buildReseller(own.database, { parent: admin })
  acme = await buildManager(own.database, { parent: reseller })
  head = await buildDepartmentHead(own.database, { parent: acme })
  user = await buildUser(own.database, { parent: head })
  foreign = await buildManager(own.database, { parent: admin })
  acmeHas = await buildFixtures(own.database, acme)
  foreignHas = await buildFixtures(own.database, foreign)
})
afterAll(() => own.drop())

const scopeOf = ({ organizationId, path, role }: Account): Scope => ({
  organizationId,
  path,
  descends: role === 'admin' || role === 'reseller',
})

/** Tables that belong to no organisation. */
const shared = ['installation', 'job_runners', 'login_attempts', 'proved_days', 'schema_migrations', 'system_state']

describe('the catalogue', () => {
  type Table = { name: string; secured: boolean; forced: boolean; policies: string[]; keys: string[] }

  async function readTables(): Promise<Table[]> {
    const { rows } = await own.database.ownerPool.query<Table>(`
      select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
        array(select polname::text || ' ' || polroles::regrole[]::text || case polcmd when '*' then '' else ' ' || polcmd::text end
          from pg_policy where polrelid = c.oid order by 1) as policies,
        array(select contype::text || ' ' || (select attname from pg_attribute where attrelid = c.oid and attnum = conkey[1])
          from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'f')) as keys
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
    return rows
  }

  test('every table either belongs to an organisation with policies, or is known to be shared', async () => {
    const { rows } = await own.database.ownerPool.query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
    const tenants = rows.map(({ name }) => name)
    const tables = await readTables()
    expect(tables.map(({ name }) => name).filter((name) => !tenants.includes(name))).toEqual(shared)
    expect(tables.filter(({ name, secured }) => !secured && !shared.includes(name))).toEqual([])
  })

  test('policies apply to the owner as well, except for recipients, which it loads by COPY', async () => {
    const tables = await readTables()
    expect(tables.filter(({ secured, forced }) => secured && !forced).map(({ name }) => name)).toEqual(['recipients'])
  })

  /** Read by further members: replies by all who see their conversation. */
  const furtherPolicies: Record<string, string[]> = { single_sends: ['conversation {carillon_app} r'] }

  test('every table with policies has one for app and one for system', async () => {
    for (const { name, policies } of (await readTables()).filter(({ secured }) => secured)) {
      expect([name, policies.filter((policy) => !policy.startsWith('owner '))]).toEqual([
        name,
        [...(furtherPolicies[name] ?? []), 'system {carillon_system}', 'tenant {carillon_app}'],
      ])
    }
  })

  /**
   * Logins and addresses are looked up before the organisation is known; deltas of counts are a queue that is folded each
   * second and read by nothing else.
   */
  const keyedOtherwise = [
    'accounts f parent_id',
    'accounts p id',
    'accounts u email',
    'accounts u path',
    'accounts u username',
    'api_keys u public_id',
    'brand_hosts u host',
    'campaign_links u number',
    'counter_deltas p id',
    'email_changes u confirm_hash',
    'email_changes u refuse_hash',
    'email_changes u undo_hash',
    'failover_deltas p id',
    'invitations u token_hash',
    'password_resets u token_hash',
    'provider_accounts u callback_key',
    'sessions u exit_hash',
    'sessions u token_hash',
    'smpp_credentials u system_id',
    'socket_tickets u token_hash',
  ]

  test('every key begins with the organisation, except for lookups before it is known', async () => {
    const tables = (await readTables()).filter(({ secured }) => secured)
    const odd = tables.flatMap(({ name, keys }) =>
      keys.filter((key) => !key.endsWith(' organization_id')).map((key) => `${name} ${key}`),
    )
    expect(odd.filter((key) => !keyedOtherwise.includes(key))).toEqual([])
  })

  test('partitions cannot be read directly', async () => {
    const { rows } = await own.database.ownerPool.query<{ name: string }>(`
      select c.relname as name from pg_class c, unnest(array['carillon_app', 'carillon_system']) as role
      where c.relispartition and c.relkind = 'r' and has_table_privilege(role, c.oid, 'select, insert, update, delete')`)
    expect(rows).toEqual([])
  })

  test('neither role can bypass row level security', async () => {
    const { rows } = await own.database.ownerPool.query(
      `select rolname from pg_roles where rolname like 'carillon\\_%' and (rolsuper or rolbypassrls or rolcanlogin or rolcreaterole)`,
    )
    expect(rows).toEqual([])
  })
})

describe('a query without a filter', () => {
  const isolatedTables = [
    'accounts',
    'senders',
    'provider_accounts',
    'templates',
    'files',
    'audiences',
    'recipients',
    'campaigns',
    'messages',
    'single_sends',
    'sessions',
  ] as const

  /** In a transaction, and in a read without one, which must see the same. */
  const organizationsIn = async (scope: Scope, table: string) => {
    const list = async (db: Db) => {
      const { rows } = await sql<{
        id: string
      }>`select distinct organization_id as id from ${sql.table(table)} order by 1`.execute(db)
      return rows.map(({ id }) => id)
    }
    const seen = await inScope(own.database, scope, list)
    expect(await readInScope(own.database, scope, list)).toEqual(seen)
    return seen
  }

  test.each(isolatedTables)(
    '%s: sees nothing without a scope, on a connection that has just served one',
    async (table) => {
      const found = await own.database.app.connection().execute(async (connection) => {
        await connection.transaction().execute(async (db) => {
          await sql`select set_config('app.organization', ${acme.organizationId}, true), set_config('app.scope', ${acme.path}, true), set_config('app.descend', ${acme.path}, true)`.execute(
            db,
          )
          const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db)
          expect(rows.length).toBeGreaterThan(0)
        })
        return (await sql`select 1 from ${sql.table(table)}`.execute(connection)).rows
      })
      expect(found).toEqual([])
    },
  )

  test.each(isolatedTables)('%s: a manager sees its own organisation and no other', async (table) => {
    expect(await organizationsIn(scopeOf(acme), table)).toEqual([acme.organizationId])
    expect(await organizationsIn(scopeOf(foreign), table)).toEqual([foreign.organizationId])
  })

  test.each(isolatedTables)('%s: a reseller sees the accounts below it, an admin everything', async (table) => {
    expect(await organizationsIn(scopeOf(reseller), table)).not.toContain(foreign.organizationId)
    expect(await organizationsIn(scopeOf(reseller), table)).toContain(acme.organizationId)
    expect(await organizationsIn(scopeOf(admin), table)).toEqual(
      expect.arrayContaining([acme.organizationId, foreign.organizationId]),
    )
  })

  test.each([
    ['its department head', () => head],
    ['a user of the department', () => user],
  ])('a campaign of the manager is outside the scope of %s', async (_, who) => {
    expect(await organizationsIn(scopeOf(who()), 'campaigns')).toEqual([])
    expect(await organizationsIn(scopeOf(who()), 'templates')).toEqual([acme.organizationId])
  })
})

describe('a statement for another organisation', () => {
  test.each([
    ['an update', () => sql`update templates set name = 'Taken' where id = ${foreignHas.template}::uuid`],
    [
      'a move',
      () =>
        sql`update templates set organization_id = ${acme.organizationId}::uuid where id = ${foreignHas.template}::uuid`,
    ],
    ['a deletion', () => sql`delete from files where id = ${foreignHas.file}::uuid`],
    ['a deletion of everything', () => sql`delete from opt_outs where organization_id <> ${acme.organizationId}::uuid`],
  ])('%s changes nothing', async (_, statement) => {
    const before = await fingerprint(own.database, foreign.organizationId)
    const { numAffectedRows } = await inScope(own.database, scopeOf(acme), (db) => statement().execute(db))
    expect(numAffectedRows).toBe(0n)
    expect(await fingerprint(own.database, foreign.organizationId)).toBe(before)
  })

  test('an insert is rejected', async () => {
    const insert = inScope(own.database, scopeOf(acme), (db) =>
      db
        .insertInto('opt_outs')
        .values({ organization_id: foreign.organizationId, channel: 'sms', phone: 919876543210, keyword: 'STOP' })
        .execute(),
    )
    await expect(insert).rejects.toThrow(/row-level security/)
  })

  test('moving a row to another organisation is rejected', async () => {
    const move = inScope(own.database, scopeOf(acme), (db) =>
      sql`update campaigns set path = ${foreign.path}::ltree where id = ${acmeHas.campaign}::uuid`.execute(db),
    )
    await expect(move).rejects.toThrow(/row-level security/)
  })

  test('a foreign key cannot reference another organisation', async () => {
    const link = inScope(own.database, scopeOf(acme), (db) =>
      sql`update campaigns set audience_id = ${foreignHas.audience}::uuid where id = ${acmeHas.campaign}::uuid`.execute(
        db,
      ),
    )
    await expect(link).rejects.toThrow(/foreign key/)
  })
})

describe('history', () => {
  test.each(['ledger_entries', 'audit_log', 'audit_heads', 'template_events', 'campaign_events', 'provider_events'])(
    '%s cannot be changed by a request',
    async (table) => {
      const scope = scopeOf(acme)
      await expect(
        inScope(own.database, scope, (db) =>
          sql`update ${sql.table(table)} set organization_id = organization_id`.execute(db),
        ),
      ).rejects.toThrow(/permission denied/)
      await expect(
        inScope(own.database, scope, (db) => sql`delete from ${sql.table(table)}`.execute(db)),
      ).rejects.toThrow(/permission denied/)
    },
  )

  test.each(['ledger_entries', 'audit_log', 'audit_heads'])('%s cannot be changed by a job either', async (table) => {
    await expect(
      asSystem(own.database, (db) => sql`update ${sql.table(table)} set organization_id = organization_id`.execute(db)),
    ).rejects.toThrow(/permission denied/)
    await expect(asSystem(own.database, (db) => sql`delete from ${sql.table(table)}`.execute(db))).rejects.toThrow(
      /permission denied/,
    )
  })

  test('the audit log cannot be written directly', async () => {
    const insert = asSystem(own.database, (db) => sql`insert into audit_log select * from audit_log`.execute(db))
    await expect(insert).rejects.toThrow(/permission denied/)
  })

  test.each([
    ['changed', `update audit_log set action = 'nothing.happened' where organization_id = $1 and seq = 2`],
    ['cut off at the end', `delete from audit_log where organization_id = $1 and seq = 3`],
    ['taken out', `delete from audit_log where organization_id = $1 and seq = 2`],
    ['given another author', `update audit_log set actor_id = organization_id where organization_id = $1 and seq = 2`],
  ])('a line that the owner of the database has %s is detected', async (_, statement) => {
    const victim = await buildManager(own.database)
    for (const action of ['session.started', 'sms_account.updated', 'session.ended']) {
      await asSystem(own.database, (db) =>
        recordAudit(db, { organizationId: victim.organizationId, actorId: acme.id, action }),
      )
    }
    const isWhole = async () => {
      const { rows } = await own.database.ownerPool.query<{ whole: boolean }>('select audit_is_whole($1) as whole', [
        victim.organizationId,
      ])
      return rows[0]?.whole
    }
    expect(await isWhole()).toBe(true)
    await own.database.ownerPool.query(statement, [victim.organizationId])
    expect(await isWhole()).toBe(false)
  })
})
