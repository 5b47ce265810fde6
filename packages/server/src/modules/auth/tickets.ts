import { sql } from 'kysely'
import { asSystem } from '../../db/pool.ts'
import type { Db } from '../../db/pool.ts'
import type { SessionActor } from '../../actor.ts'
import { newToken, sha256 } from '../../lib/ids.ts'
import { findActor, type Sessions } from './sessions.ts'

const validSeconds = 30

/** Creates a socket ticket. It may be part of a URL, because it works once and expires soon. */
export async function issueTicket(db: Db, actor: SessionActor, now: Date): Promise<string> {
  const ticket = newToken()
  await db
    .insertInto('socket_tickets')
    .values({
      organization_id: actor.organizationId,
      token_hash: sha256(ticket),
      session_id: actor.sessionId,
      expires_at: new Date(now.getTime() + validSeconds * 1000),
    })
    .execute()
  return ticket
}

/** Reads and deletes the ticket in one statement; its session must still be valid. */
export async function redeemTicket(sessions: Sessions, ticket: string): Promise<SessionActor | undefined> {
  const now = sessions.clock.now()
  return asSystem(sessions.database, async (db) => {
    const { rows } = await sql<{ token_hash: Buffer }>`
      with redeemed as (delete from socket_tickets where token_hash = ${sha256(ticket)} returning session_id, organization_id, expires_at)
      select session.token_hash from redeemed join sessions session using (organization_id)
      where session.id = redeemed.session_id and redeemed.expires_at > ${now}
    `.execute(db)
    return rows[0] ? findActor(db, rows[0].token_hash, now) : undefined
  })
}
