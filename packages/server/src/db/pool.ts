import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { boundQueries } from './bounded-queries.ts'
import { createNames, withNamedStatements } from './named-statements.ts'
import { createNotifier } from './notify-soon.ts'
import { holdingConnection, refuseSecondConnections } from './one-connection.ts'
import { assumeRole, defaultRolePrefix, rolesOf, type DatabaseRoles } from './roles.ts'
import type { DB } from './schema.ts'
import type { Scope } from './scope.ts'
import { withScopedReads } from './scoped-reads.ts'

/** Query handle: always a transaction with its scope set. */
export type Db = Transaction<DB>

/** Runs `work` in a transaction. */
export type RunTransaction = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

/**
 * Three roles of one database. `app` serves requests under row level security; `system` runs the engine, jobs and sign-in
 * across all organisations; `owner` migrates and bulk-loads audiences.
 */
export type Database = {
  roles: DatabaseRoles
  app: Kysely<DB>
  /** `app`, for work that only reads. */
  reads: Kysely<DB>
  system: Kysely<DB>
  /** The pool of `system`, for raw SQL and dedicated connections. */
  systemPool: pg.Pool
  ownerPool: pg.Pool
  /** Notifies the listeners of a channel; calls in quick succession are combined into one NOTIFY. */
  notifySoon(channel: string): void
  /** Connections in use, and tasks waiting for one. */
  usage(): PoolUsage[]
  /** A dedicated connection as owner, for work that lasts as long as a file; the caller ends it. */
  connectAsOwner(): Promise<pg.Client>
  close(): Promise<void>
}

export type PoolUsage = { pool: 'app' | 'system' | 'owner'; inUse: number; idle: number; waiting: number }

export type PoolSizes = { app: number; system: number; owner: number; /** Shorter in tests. */ queryTimeoutMs?: number }

// Counts, money and phone numbers are far below 2^53; dates are dates, not instants.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day)

export function openDatabase(url: string, sizes: PoolSizes, roles = rolesOf(defaultRolePrefix)): Database {
  const appPool = openPool(url, sizes.app, { role: roles.app, pipeline: true })
  const systemPool = openPool(url, sizes.system, { role: roles.system })
  const ownerPool = openPool(url, sizes.owner)
  for (const pool of [appPool, systemPool, ownerPool]) boundQueries(pool, sizes.queryTimeoutMs)
  const names = createNames()
  return {
    roles,
    app: openKysely(withNamedStatements(appPool, { names, sentAhead })),
    reads: openKysely(withScopedReads(appPool, { names, role: roles.app, setScope, setReadScope })),
    system: openKysely(withNamedStatements(systemPool, { names: createNames() })),
    systemPool,
    ownerPool,
    notifySoon: createNotifier(systemPool),
    usage: () => [usageOf('app', appPool), usageOf('system', systemPool), usageOf('owner', ownerPool)],
    async connectAsOwner() {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 15_000,
        application_name: 'carillon owner',
        keepAlive: true,
      })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    async close() {
      await Promise.all([appPool.end(), systemPool.end(), ownerPool.end()])
    },
  }
}

function openKysely(pool: PostgresPool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

function usageOf(name: PoolUsage['pool'], { totalCount, idleCount, waitingCount }: pg.Pool): PoolUsage {
  return { pool: name, inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** Maximum wait for a connection, in milliseconds. Then the caller is asked to retry. */
export const connectTimeoutMs = 5000
/** Keep-alive probes on idle connections detect a server that vanished. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

type PoolOptions = {
  role?: string
  /** Statements are sent without waiting for earlier results. */
  pipeline?: boolean
}

function openPool(url: string, max: number, { role, pipeline = false }: PoolOptions = {}): pg.Pool {
  // A client option missing in pg's types.
  const pipelining: object = { pipeline }
  const pool = new pg.Pool({
    ...pipelining,
    connectionString: url,
    max,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise; its types do not say so
    ...(role ? { onConnect: (client) => assumeRole(client, role, connectTimeoutMs) } : {}),
    idleTimeoutMillis: 60_000,
    // Some statements are prepared once for each day. Those of past days end with their connection.
    maxLifetimeSeconds: 86_400,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: `carillon ${role ?? 'owner'}`,
    ...keepAlive,
  })
  // An idle connection that breaks is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  // A connection that breaks between two statements also emits here; the next statement fails and reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  refuseSecondConnections(pool)
  return pool
}

const setScope = `select set_config('role', $1, true), set_config('app.organization', $2, true),
  set_config('app.scope', $3, true), set_config('app.descend', $4, true)`

const setReadScope = `${setScope}, set_config('plan_cache_mode', $5, true), set_config('transaction_read_only', 'on', true)`

/**
 * Sent together with the first statement of the work, in one round trip. If one of them fails, the transaction is aborted or
 * the scope is empty, so that statement sees nothing, and the work gets the error.
 */
const sentAhead = new Set(['begin', setScope])

/**
 * Runs `work` in a transaction limited to `scope`. The role is set again together with the scope: a connection that lost it
 * must not run as owner.
 */
export async function inScope<Result>(
  database: Database,
  scope: Scope,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, beginIn(database.app), (db) => runScoped(db, { database, scope, work }))
}

/**
 * Like `inScope`, for work that only reads: each statement is a read-only transaction of its own, in one round trip. It sees
 * the same, because statements of a transaction do not share a snapshot either.
 */
export async function readInScope<Result>(
  database: Database,
  scope: Scope,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, connectTo(database.reads), (db) => runScoped(db, { database, scope, work }))
}

type Scoped<Result> = { database: Database; scope: Scope; work: (db: Db) => Promise<Result> }

async function runScoped<Result>(db: Db, { database, scope, work }: Scoped<Result>): Promise<Result> {
  const { organizationId, path, descends } = scope
  const settings = [database.roles.app, organizationId, path, descends ? path : '']
  await db.executeQuery(CompiledQuery.raw(setScope, settings))
  return work(db)
}

/** Runs `work` in a transaction across all organisations: sign-in, engine, jobs. Never for a request's own data. */
export async function asSystem<Result>(database: Database, work: (db: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(database, beginIn(database.system), work)
}

/** Like `asSystem`, but each statement is a transaction of its own: a single one takes one round trip instead of three. */
export async function eachAsSystem<Result>(database: Database, work: (db: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(database, connectTo(database.system), work)
}

type Undo = () => Promise<unknown>
type Afterwards = { undos: Undo[]; channels: Set<string> }
const afterwards = new WeakMap<Db, Afterwards>()

/** Registers an undo of external side effects for a rollback. Not called when the commit fails, since it may have taken effect. */
export function onRollback(db: Db, undo: Undo): void {
  afterwards.get(db)?.undos.push(undo)
}

/** Notifies the listeners of a channel after the commit. */
export function notifyAfterCommit(db: Db, channel: string): void {
  afterwards.get(db)?.channels.add(channel)
}

type Begin = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>

function beginIn(pool: Kysely<DB>): Begin {
  return (work) => pool.transaction().execute(work)
}

/** Each statement is a transaction already. What Kysely adds to the type of one, the work does not use. */
function connectTo(pool: Kysely<DB>): Begin {
  return (work) => pool.connection().execute((db) => work(db as Db))
}

async function inTransaction<Result>(
  database: Database,
  begin: Begin,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { undos, channels }: Afterwards = { undos: [], channels: new Set() }
  let isCommitting = false
  try {
    const result = await begin(async (db) => {
      afterwards.set(db, { undos, channels })
      const worked = await holdingConnection(() => work(db))
      isCommitting = true
      return worked
    })
    for (const channel of channels) database.notifySoon(channel)
    return result
  } catch (error) {
    if (!isCommitting) await Promise.allSettled(undos.map((undo) => undo()))
    throw error
  }
}
