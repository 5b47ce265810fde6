import { sql, type RawBuilder } from 'kysely'
import { asSystem, eachAsSystem, type Database, type Db } from '../../db/pool.ts'
import type { SessionActor } from '../../actor.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId, newToken, sha256 } from '../../lib/ids.ts'
import { actorColumns, presentActor, type ActorRow } from './account-actor.ts'

/** An ended session or lost permission takes effect within this time in every process. */
const cacheMs = 5000
const cacheSize = 10_000
export const idleMinutes = 30

export type Sessions = {
  database: Database
  clock: Clock
  sessionHours: number
  cache: Map<string, { actor: SessionActor; until: number }>
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
  /** For impersonation: the impersonator, and their own session, with which it ends. */
  impersonator?: { actorId: string; sessionId: string; reason: string; exitHash: Buffer }
}

/** Returns the token; the database stores only its hash. */
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
      ...(session.impersonator
        ? {
            actor_id: session.impersonator.actorId,
            opened_from: session.impersonator.sessionId,
            reason: session.impersonator.reason,
            exit_hash: session.impersonator.exitHash,
          }
        : {}),
    })
    .execute()
  return { token, id, expiresAt }
}

/** The account of a token; undefined if it is unknown, expired, idle for too long or ended, or its account may not sign in. */
export async function authenticate(sessions: Sessions, token: string): Promise<SessionActor | undefined> {
  const cached = sessions.cache.get(token)
  if (cached && cached.until > sessions.clock.now().getTime()) return cached.actor
  return authenticateNow(sessions, token)
}

/** Bypasses the cache, for connections that stay open. */
export async function authenticateNow(sessions: Sessions, token: string): Promise<SessionActor | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined
  const now = sessions.clock.now().getTime()
  const actor = await eachAsSystem(sessions.database, (db) => findActor(db, sha256(token), new Date(now)))
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

/** Which of these sessions are still valid: for connections that stay open, such as sockets. Always read from the database. */
export async function findLiveSessions(
  { database, clock }: Sessions,
  actors: readonly SessionActor[],
): Promise<ReadonlySet<string>> {
  if (actors.length === 0) return new Set()
  const now = clock.now()
  const { rows } = await asSystem(database, (db) =>
    sql<{ id: string }>`
      select session.id
      from unnest(${actors.map(({ organizationId }) => organizationId)}::uuid[], ${actors.map(({ sessionId }) => sessionId)}::uuid[])
        as asked (organization_id, id)
      join sessions session using (organization_id, id)
      where session.ended_at is null and session.expires_at > ${now}
        and session.account_id in (select accounts_in_force(${actors.map(({ accountId }) => accountId)}::uuid[]))
        and ${impersonationAllowed(now)}`.execute(db),
  )
  return new Set(rows.map(({ id }) => id))
}

/** True for ordinary sessions; impersonation also requires the right to enter the account. */
function impersonationAllowed(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(session.actor_id is null
    or visit_holds(session.actor_id, session.account_id, session.opened_from, ${now}))`
}

/** Reads the session and, at most once a minute, updates its last-used time. */
export async function findActor(db: Db, tokenHash: Buffer, now: Date): Promise<SessionActor | undefined> {
  const { rows } = await sql<SessionRow>`
    with live as (
      select session.id, session.organization_id, session.account_id, session.actor_id, session.last_seen_at
      from sessions session
      where session.token_hash = ${tokenHash} and session.ended_at is null and session.expires_at > ${now}
        and session.last_seen_at > ${new Date(now.getTime() - idleMinutes * 60_000)} and ${impersonationAllowed(now)}
    ), seen as (
      update sessions set last_seen_at = ${now} from live
      where sessions.organization_id = live.organization_id and sessions.id = live.id and live.last_seen_at < ${new Date(now.getTime() - 60_000)}
    )
    select ${actorColumns}, live.id as session_id, live.actor_id, account.is_first_login,
      case when live.actor_id is null and coalesce(account.last_active_at, '-infinity') < ${new Date(now.getTime() - 60_000)}
        then mark_active(account.id, ${now}) end
    from live
    join accounts account on account.id = live.account_id
    cross join lateral account_status_of(account.path) as effective_status
    where effective_status in ('active', 'suspended') and (not account.is_first_login or password_holds(account, ${now}))
  `.execute(db)
  return rows[0] ? presentSession(rows[0]) : undefined
}

type SessionRow = ActorRow & { session_id: string; actor_id: string | null; is_first_login: boolean }

function presentSession(row: SessionRow): SessionActor {
  return {
    ...presentActor(row),
    sessionId: row.session_id,
    impersonatedBy: row.actor_id ?? undefined,
    // An impersonator does not set the account's password.
    mustSetPassword: row.is_first_login && row.actor_id === null,
  }
}
