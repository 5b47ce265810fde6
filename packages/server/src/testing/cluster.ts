import { mkdtempSync, rmSync } from 'node:fs'
import { chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import pg from 'pg'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { createDatabaseIfMissing, migrate } from '../db/migrate.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface ProvidedContext {
    /** URL of the migrated template database that every test file clones. */
    templateUrl: string
  }
}

/** One PostgreSQL for the whole run, migrated once; each test file clones it. Durability is off. */
export async function setup(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-test-'))
  chmodSync(directory, 0o755)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '256MB',
    max_connections: '600',
    autovacuum_naptime: '10s',
  }
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory, settings })
  const template = new URL(postgres.url)
  template.pathname = '/carillon_template'
  await createDatabaseIfMissing(template.href)
  await migrate(template.href)
  await forbidConnections(postgres.url, 'carillon_template')
  project.provide('templateUrl', template.href)

  return async () => {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A template can be cloned only without connections to it. */
async function forbidConnections(url: string, name: string) {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  await client.query(`alter database ${name} with is_template true allow_connections false`)
  await client.end()
}
