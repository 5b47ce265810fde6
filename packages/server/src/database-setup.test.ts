import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { emptyDatabase, type EmptyDatabase } from './testing/login-user.ts'
import { startPooler } from './testing/pooler.ts'
import { runProgram, type Program } from './testing/program.ts'
import { until } from './testing/until.ts'

const guide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')

const ends: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A database prepared by an administrator with the statements of docs/operations.md. */
async function preparedDatabase(): Promise<EmptyDatabase> {
  const database = await emptyDatabase()
  ends.push(() => database.drop())
  const statements = /### Roles\n.+?```sql\n(.+?)```/s.exec(guide)?.[1]?.trim().split(';\n') ?? []
  expect(statements).toHaveLength(5)
  await database.administerServer(`drop database ${database.name}`)
  await database.administerServer(`drop role ${database.user}`)
  for (const statement of statements) await database.administerServer(named(statement, database))
  return database
}

/** Replaces the names in a statement with those of the test. */
function named(statement: string, { name, user, roles }: EmptyDatabase): string {
  return statement
    .replace('database carillon', `database ${name}`)
    .replaceAll('carillon_app', roles.app)
    .replaceAll('carillon_system', roles.system)
    .replace(/\bcarillon\b/g, user)
}

function run(url: string, settings: Record<string, string>): Program {
  const program = runProgram({ DATABASE_URL: url, ...settings })
  ends.push(program.stop)
  return program
}

describe('a user who may not create roles, in a database prepared by an administrator', { timeout: 180_000 }, () => {
  test('sends messages behind a pooler in session mode', async () => {
    const { url, prefix, administer } = await preparedDatabase()
    const pooler = await startPooler(url, { mode: 'session', onOptions: 'reject' })
    ends.push(() => pooler.close())
    const { output } = run(pooler.url, { DATABASE_ROLE_PREFIX: prefix, DEMO: 'on' })
    await until(() => output().includes('is at http'), 'the start', 60_000)
    const address = /is at (http:\S+)/.exec(output())?.[1] ?? ''
    expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    await until(
      () =>
        administer(`do $$ begin assert (select count(*) > 0 from messages where status = 'delivered'); end $$`).then(
          () => true,
          () => false,
        ),
      'a message that is delivered',
      90_000,
    )
    expect(output()).not.toContain('"level":50')
  })

  test('does not start behind a pooler in transaction mode', async () => {
    const { url, prefix } = await preparedDatabase()
    const pooler = await startPooler(url, { mode: 'transaction' })
    ends.push(() => pooler.close())
    const { output, exitCode } = run(pooler.url, { DATABASE_ROLE_PREFIX: prefix })
    expect([await exitCode, output()]).toEqual([
      1,
      'The pooler of the database does not pool by session: set pool_mode = session in PgBouncer, or connect to PostgreSQL itself\n',
    ])
  })

  test('does not start under other role names', async () => {
    const { url, user } = await preparedDatabase()
    const { output, exitCode } = run(url, { DATABASE_ROLE_PREFIX: 'missing' })
    expect([await exitCode, output()]).toEqual([
      1,
      `The roles missing_app and missing_system are missing and the user ${user} may not create roles: as an administrator run create role missing_app nologin; create role missing_system nologin; grant missing_app, missing_system to "${user}"\n`,
    ])
  })
})

test('a connection rejected by a pooler is reported in one line', async () => {
  const pooler = await startPooler(inject('templateUrl'), { mode: 'session', onOptions: 'reject' })
  ends.push(() => pooler.close())
  const { output, exitCode } = run(`${pooler.url}?options=-c%20work_mem%3D8MB`, {})
  expect([await exitCode, output()]).toEqual([
    1,
    'The database refuses the connection: unsupported startup parameter: options\n',
  ])
})
