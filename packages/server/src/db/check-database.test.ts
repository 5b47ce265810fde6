import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyDatabase, type EmptyDatabase } from '../testing/login-user.ts'
import { migrate } from './migrate.ts'
import { rolesOf } from './roles.ts'

const opened: EmptyDatabase[] = []
afterEach(async () => {
  // In reverse order: a role can hold rights in roles of earlier databases.
  for (const database of opened.splice(0).toReversed()) await database.drop()
})

async function open(...options: Parameters<typeof emptyDatabase>): Promise<EmptyDatabase> {
  const database = await emptyDatabase(...options)
  opened.push(database)
  return database
}

const own = ({ name, user }: EmptyDatabase) => `alter database ${name} owner to ${user}`
const preMade = ({ roles, user }: EmptyDatabase) =>
  `create role ${roles.app} nologin; create role ${roles.system} nologin; grant ${roles.app}, ${roles.system} to ${user}`

/** The error message of a rejected start. */
async function refusal({ url, roles }: Pick<EmptyDatabase, 'url' | 'roles'>): Promise<string> {
  const [outcome] = await Promise.allSettled([migrate(url, roles)])
  if (outcome.status === 'fulfilled') return 'none'
  expect(outcome.reason).toHaveProperty('name', 'DatabaseSetupError')
  return String((outcome.reason as Error).message)
}

describe('a start is rejected with a one-line error whose remedy works', () => {
  test('the user does not own the database', async () => {
    const database = await open({ attributes: 'createrole' })
    expect(await refusal(database)).toBe(
      `The user ${database.user} may not create schemas in the database ${database.name}: as an administrator run alter database "${database.name}" owner to "${database.user}"`,
    )
    await database.administer(own(database))
    expect(await refusal(database)).toBe('none')
  })

  test('the user may not create tables', async () => {
    const database = await open({ attributes: 'createrole' })
    await database.administer(`grant create on database ${database.name} to ${database.user}`)
    const remedy = `grant usage, create on schema public to "${database.user}"`
    expect(await refusal(database)).toBe(
      `The user ${database.user} may not create tables in the schema public of ${database.name}: as an administrator run ${remedy}`,
    )
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
  })

  test('the user may not create roles', async () => {
    const database = await open()
    await database.administer(own(database))
    const { app, system } = database.roles
    const remedy = `create role ${app} nologin; create role ${system} nologin; grant ${app}, ${system} to "${database.user}"`
    expect(await refusal(database)).toBe(
      `The roles ${app} and ${system} are missing and the user ${database.user} may not create roles: as an administrator run ${remedy}`,
    )
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
    expect(await refusal(database)).toBe('none')
  })

  test('an administrator created the roles but did not grant them', async () => {
    const database = await open()
    await database.administer(own(database))
    const { app, system } = database.roles
    await database.administer(`create role ${app} nologin; create role ${system} nologin`)
    const remedy = `grant ${app}, ${system} to "${database.user}"`
    expect(await refusal(database)).toBe(
      `The user ${database.user} may not use the roles ${app} and ${system}: as an administrator run ${remedy}`,
    )
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
  })

  test('the user is a member of the roles without the right to set them', async () => {
    const database = await open()
    await database.administer(own(database))
    await database.administer(preMade(database))
    const { app, system } = database.roles
    await database.administer(`grant ${app}, ${system} to ${database.user} with set false`)
    expect(await refusal(database)).toContain(`may not use the roles ${app} and ${system}: as an administrator run`)
  })

  test.each(['bypassrls', 'superuser'])('a role is %s', async (attribute) => {
    const database = await open()
    await database.administer(own(database))
    await database.administer(`${preMade(database)}; alter role ${database.roles.app} ${attribute}`)
    const remedy = `alter role ${database.roles.app} nosuperuser nobypassrls`
    expect(await refusal(database)).toBe(
      `Row level security does not bind the role ${database.roles.app}: as an administrator run ${remedy}`,
    )
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
  })

  test('the app role has the rights of the system role', async () => {
    const database = await open()
    await database.administer(own(database))
    const { app, system } = database.roles
    await database.administer(`${preMade(database)}; grant ${system} to ${app}`)
    const remedy = `revoke "${system}" from ${app}`
    expect(await refusal(database)).toBe(
      `The role ${app} has all rights of ${system}: as an administrator run ${remedy}`,
    )
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
  })

  test('the database is read-only', async () => {
    const database = await open({ attributes: 'createrole' })
    await database.administer(own(database))
    await database.administer(`alter database ${database.name} set default_transaction_read_only = on`)
    expect(await refusal(database)).toBe(
      `The database ${database.name} is read-only: set DATABASE_URL to the primary, not to a standby`,
    )
  })

  test('the encoding is not UTF-8', async () => {
    const settings = `template template0 encoding 'SQL_ASCII' locale 'C'`
    expect(await refusal(await open({ attributes: 'createrole', settings }))).toMatch(
      /has the encoding SQL_ASCII: create one with createdb --template=template0 --encoding=UTF8$/,
    )
  })

  test('an extension is in another schema', async () => {
    const database = await open({ attributes: 'createrole' })
    await database.administer(`${own(database)}; create schema extensions; create extension ltree schema extensions`)
    const remedy = 'alter extension ltree set schema public'
    expect(await refusal(database)).toBe(`The extension ltree is in the schema extensions: run ${remedy}`)
    await database.administer(remedy)
    expect(await refusal(database)).toBe('none')
  })

  test('the tables belong to another user', async () => {
    const database = await open({ attributes: 'createrole' })
    await database.administer(own(database))
    await migrate(database.url, database.roles)
    const other = await open({ attributes: 'createrole' })
    const url = new URL(other.url)
    url.pathname = `/${database.name}`
    expect(await refusal({ url: url.href, roles: database.roles })).toBe(
      `The tables of the database ${database.name} belong to ${database.user}, not to ${other.user}: set DATABASE_URL to the user ${database.user}`,
    )
  })

  test('the database was set up with another DATABASE_ROLE_PREFIX', async () => {
    const database = await open({ attributes: 'createrole' })
    await database.administer(own(database))
    await migrate(database.url, database.roles)
    expect(await refusal({ ...database, roles: rolesOf('another') })).toBe(
      `The database ${database.name} was set up with the role ${database.roles.app}: set DATABASE_ROLE_PREFIX=${database.prefix}`,
    )
  })
})

describe('two installations on one server', () => {
  test('share the roles when one user owns both', async () => {
    const first = await open({ attributes: 'createrole' })
    const second = await open()
    const url = new URL(first.url)
    url.pathname = `/${second.name}`
    await first.administer(own(first))
    await second.administer(`alter database ${second.name} owner to ${first.user}`)
    expect([await refusal(first), await refusal({ url: url.href, roles: first.roles })]).toEqual(['none', 'none'])
  })

  test.each([
    ['cannot', 'createrole', () => ''],
    [
      'was let',
      '',
      ({ user }: EmptyDatabase, { roles }: EmptyDatabase) => `grant ${roles.app}, ${roles.system} to ${user}`,
    ],
  ])('need separate roles when another user %s use those of the first', async (_, attributes, permission) => {
    const first = await open({ attributes: 'createrole' })
    await first.administer(own(first))
    await migrate(first.url, first.roles)
    const second = await open({ attributes })
    await second.administer(`${own(second)}; ${permission(second, first)}`)
    const { app, system } = first.roles
    expect(await refusal({ ...second, roles: first.roles })).toBe(
      `The roles ${app} and ${system} belong to another installation on this server (user ${first.user}): set DATABASE_ROLE_PREFIX to a name of this installation's own`,
    )
    await second.administer(`alter role ${second.user} createrole`)
    expect(await refusal(second)).toBe('none')
  })

  test('with separate roles, neither user can assume a role of the other', async () => {
    const [first, second] = [await open({ attributes: 'createrole' }), await open({ attributes: 'createrole' })]
    for (const database of [first, second]) {
      await database.administer(own(database))
      await migrate(database.url, database.roles)
    }
    const client = new pg.Client({ connectionString: second.url })
    await client.connect()
    await expect(client.query(`set role ${first.roles.system}`)).rejects.toThrow('permission denied to set role')
    await client.end()
  })
})
