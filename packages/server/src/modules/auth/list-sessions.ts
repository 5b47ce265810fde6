import { truncate } from '@carillon/contract/text'
import type { SessionRecord } from '@carillon/contract/auth'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { SessionActor } from '../../actor.ts'
import { notFound } from '../../lib/problem.ts'
import { idleMinutes } from './sessions.ts'

type Row = {
  id: string
  opened_by: string | null
  ip: string | null
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
}

const mostSessions = 100

/** Active sessions of the account, including impersonations; most recently used first. */
export async function listSessions(db: Db, actor: SessionActor, now: Date): Promise<SessionRecord[]> {
  const { rows } = await sql<Row>`
    select id, name_above(actor_id) as opened_by, host(ip) as ip, user_agent, created_at, last_seen_at
    from sessions
    where organization_id = ${actor.organizationId}::uuid and account_id = ${actor.accountId}::uuid and ended_at is null
      and expires_at > ${now} and last_seen_at > ${new Date(now.getTime() - idleMinutes * 60_000)}
    order by last_seen_at desc limit ${mostSessions}`.execute(db)
  return rows.map((row) => ({
    _id: row.id,
    isCurrent: row.id === actor.sessionId,
    ...(row.opened_by ? { openedBy: row.opened_by } : {}),
    ...(row.ip ? { ip: row.ip } : {}),
    device: deviceOf(row.user_agent ?? ''),
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
  }))
}

/** Ends one of the caller's sessions; others are not found. */
export async function endOwnSession(db: Db, { actor, id, now }: { actor: SessionActor; id: string; now: Date }) {
  const ended = await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw notFound('Session')
}

export async function endOtherSessions(db: Db, actor: SessionActor, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
    .where('id', '<>', actor.sessionId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** Such as 'Chrome on Windows', so that people recognise their devices. */
function deviceOf(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (!browser && !system) return truncate(userAgent, 60) || 'Unknown device'
  return [browser ?? 'A browser', system ? `on ${system}` : ''].join(' ').trim()
}
