import { Module } from '@carillon/contract/roles'
import { sql } from 'kysely'
import { asSystem, type Database, type Db } from '../../db/pool.ts'
import type { Actor } from '../../http/handlers.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, newToken, sha256 } from '../../lib/ids.ts'

/** Ending a session takes effect within this time in every process. */
const cacheMs = 5000
const cacheSize = 10_000
export const idleMinutes = 30

export type Sessions = {
  database: Database
  clock: Clock
  sessionHours: number
  cache: Map<string, { actor: Actor; until: number }>
}

export function createSessions(options: { database: Database; clock: Clock; sessionHours: number }): Sessions {
  return { ...options, cache: new Map() }
}

export type NewSession = {
  accountId: string
  organizationId: string
  ip: string
  userAgent: string
  now: Date
  hours: number
  /** Who really acts, when it is not the account's own. */
  visitor?: { actorId: string; reason: string; exitHash: Buffer }
}

/** The token is told once, here; the database keeps its hash. */
export async function startSession(
  db: Db,
  session: NewSession,
): Promise<{ token: string; id: string; expiresAt: Date }> {
  const token = newToken()
  const id = newId()
  const expiresAt = new Date(session.now.getTime() + session.hours * 3_600_000)
  await db
    .insertInto('sessions')
    .values({
      organization_id: session.organizationId,
      id,
      account_id: session.accountId,
      token_hash: sha256(token),
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: expiresAt,
      ip: session.ip,
      user_agent: session.userAgent,
      ...(session.visitor
        ? {
            actor_id: session.visitor.actorId,
            reason: session.visitor.reason,
            exit_hash: session.visitor.exitHash,
          }
        : {}),
    })
    .execute()
  return { token, id, expiresAt }
}

/** The account behind a token; undefined when it is unknown, expired, idle for too long, ended, or its account may not sign in. */
export async function authenticate(sessions: Sessions, token: string): Promise<Actor | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined
  const now = sessions.clock.now().getTime()
  const cached = sessions.cache.get(token)
  if (cached && cached.until > now) return cached.actor

  const actor = await asSystem(sessions.database, (db) => findActor(db, sha256(token), new Date(now)))
  if (sessions.cache.size >= cacheSize) sessions.cache.clear()
  if (actor) sessions.cache.set(token, { actor, until: now + cacheMs })
  else sessions.cache.delete(token)
  return actor
}

export async function endSession(db: Db, sessionId: string, now: Date) {
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Whether a session that opened something lasting, such as a socket, may keep it open. */
export async function isSessionAlive(
  { database, clock }: Sessions,
  { organizationId, sessionId }: Actor,
): Promise<boolean> {
  return asSystem(database, async (db) => {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .select('sessions.id')
      .where('sessions.organization_id', '=', organizationId)
      .where('sessions.id', '=', sessionId)
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', clock.now())
      .where(sql<boolean>`account_standing(accounts.path) in ('active', 'suspended')`)
      .where(visitorMayStill)
      .executeTakeFirst()
    return row !== undefined
  })
}

/** A visit ends when the visitor himself may not sign in any more. */
const visitorMayStill = sql<boolean>`(sessions.actor_id is null or exists (
  select from accounts visitor where visitor.id = sessions.actor_id and account_standing(visitor.path) in ('active', 'suspended')))`

/** Reads the session and, at most once a minute, notes that it is in use. */
export async function findActor(db: Db, tokenHash: Buffer, now: Date): Promise<Actor | undefined> {
  const { rows } = await sql<SessionRow>`
    with live as (
      select session.id, session.organization_id, session.account_id, session.actor_id, session.last_seen_at
      from sessions session
      where session.token_hash = ${tokenHash} and session.ended_at is null and session.expires_at > ${now}
        and session.last_seen_at > ${new Date(now.getTime() - idleMinutes * 60_000)}
    ), seen as (
      update sessions set last_seen_at = ${now} from live
      where sessions.organization_id = live.organization_id and sessions.id = live.id and live.last_seen_at < ${new Date(now.getTime() - 60_000)}
    )
    , active as (
      update accounts set last_active_at = ${now} from live
      where accounts.id = live.account_id and live.actor_id is null
        and (accounts.last_active_at is null or accounts.last_active_at < ${new Date(now.getTime() - 60_000)})
    )
    select live.id as session_id, live.actor_id, account.id, account.organization_id, account.role, account.path::text,
      account.username, account.email, account.timezone, account.is_first_login, standing::text,
      array(select module from account_modules where organization_id = account.organization_id and account_id = account.id) as modules
    from live
    join accounts account on account.id = live.account_id
    cross join lateral account_standing(account.path) as standing
    left join accounts visitor on visitor.id = live.actor_id
    where standing in ('active', 'suspended')
      and (live.actor_id is null or account_standing(visitor.path) in ('active', 'suspended'))
  `.execute(db)
  return rows[0] ? presentActor(rows[0]) : undefined
}

type SessionRow = {
  session_id: string
  actor_id: string | null
  id: string
  organization_id: string
  role: Actor['role']
  path: string
  username: string
  email: string
  timezone: string
  is_first_login: boolean
  standing: string
  modules: string[]
}

function presentActor(row: SessionRow): Actor {
  const above = row.role === 'admin' || row.role === 'reseller'
  return {
    accountId: row.id,
    organizationId: row.organization_id,
    role: row.role,
    username: row.username,
    email: row.email,
    timezone: row.timezone,
    modules: new Set(above ? Module.options : row.modules.map((name) => Module.parse(name))),
    reach: { organizationId: row.organization_id, path: row.path, descends: above },
    sessionId: row.session_id,
    impersonatedBy: row.actor_id ?? undefined,
    isSuspended: row.standing === 'suspended',
    // Whoever visits does not choose the visited account's password.
    mustSetPassword: row.is_first_login && row.actor_id === null,
  }
}
