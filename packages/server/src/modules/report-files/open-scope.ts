import type pg from 'pg'
import type { Database } from '../../db/pool.ts'
import { assumeRole } from '../../db/roles.ts'
import type { Query } from './report-entry.ts'
import type { CoveredOrganization } from './report-span.ts'

/** A connection with one snapshot for all it reads, limited to an organisation at a time by row level security, and if wanted to those below. */
export type ReadingConnection = {
  client: pg.Client
  query: Query
  limitTo(organization: CoveredOrganization, options?: { namesBelow: boolean }): Promise<void>
  /** Whether the next statement reads a range of a campaign, whose rows are joined in the order of both keys. */
  readRange(isRange: boolean): Promise<void>
  close(): Promise<void>
}

const connectTimeoutMs = 15_000

/** The connection is dedicated, because a report may take longer than the pools let a statement take. */
export async function openSnapshot(database: Database): Promise<ReadingConnection> {
  const client = await database.connectAsOwner()
  try {
    await assumeRole(client, database.roles.app, connectTimeoutMs)
    await client.query('begin isolation level repeatable read read only')
    // Compiling costs more than it gains for ranges of this size, and dates are read as they are written.
    await client.query(`select set_config('jit', 'off', true), set_config('datestyle', 'ISO', true)`)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return {
    client,
    query: async <Row extends Record<string, unknown>>(text: string) => (await client.query<Row>(text)).rows,
    async limitTo({ organizationId, path, descends }, options) {
      await client.query(
        `select set_config('app.organization', $1, true), set_config('app.scope', $2, true), set_config('app.descend', $3, true)`,
        [organizationId, path, descends && options?.namesBelow ? path : ''],
      )
    },
    async readRange(isRange) {
      await client.query(`select set_config('enable_nestloop', $1, true)`, [isRange ? 'off' : 'on'])
    },
    // Ends a statement that is running.
    close: () => client.end().catch(() => undefined),
  }
}
