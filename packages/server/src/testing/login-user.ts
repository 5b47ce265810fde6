import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { rolesOf, type DatabaseRoles } from '../db/roles.ts'

export type EmptyDatabase = {
  name: string
  /** A user without any rights of their own. */
  user: string
  /** URL of the database as that user. */
  url: string
  prefix: string
  roles: DatabaseRoles
  /** Runs statements as the server's administrator in this database. */
  administer(text: string): Promise<void>
  /** The same in the database `postgres`. */
  administerServer(text: string): Promise<void>
  drop(): Promise<void>
}

type Options = {
  /** Role attributes, such as `createrole`. */ attributes?: string
  /** Of the database. */ settings?: string
}

/** An empty database and a login user without rights, with unique role names on the server that all tests share. */
export async function emptyDatabase({ attributes = '', settings = '' }: Options = {}): Promise<EmptyDatabase> {
  const unique = randomBytes(5).toString('hex')
  const [name, user, prefix] = [`empty_${unique}`, `login_${unique}`, `roles_${unique}`]
  const template = new URL(inject('templateUrl'))
  const run = async (database: string, text: string) => {
    const url = new URL(template)
    url.pathname = `/${database}`
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  await run('postgres', `create role ${user} login password 'secret' ${attributes}`)
  await run('postgres', `create database ${name} ${settings}`)
  const url = new URL(template)
  Object.assign(url, { pathname: `/${name}`, username: user, password: 'secret' })
  const roles = rolesOf(prefix)
  return {
    name,
    user,
    url: url.href,
    prefix,
    roles,
    administer: (text) => run(name, text),
    administerServer: (text) => run('postgres', text),
    async drop() {
      await run('postgres', `drop database if exists ${name} with (force)`)
      for (const role of [roles.app, roles.system, user]) await run('postgres', `drop role if exists ${role}`)
    },
  }
}
