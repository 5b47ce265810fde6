import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { traceConnections } from '../db/one-connection.ts'
import { openDatabase, type Database } from '../db/pool.ts'

export type TestDatabase = { database: Database; url: string; drop(): Promise<void> }

/** A database for one test file, cloned from the migrated template in a few milliseconds. */
export async function testDatabase(sizes = { app: 10, system: 10, owner: 3 }): Promise<TestDatabase> {
  traceConnections()
  const template = inject('templateUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(template, `create database ${name} template carillon_template strategy file_copy`)
  const url = new URL(template)
  url.pathname = `/${name}`
  const database = openDatabase(url.href, sizes)
  return {
    database,
    url: url.href,
    async drop() {
      await database.close()
      await administer(template, `drop database if exists ${name} with (force)`)
    },
  }
}

async function administer(template: string, statement: string) {
  const url = new URL(template)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
