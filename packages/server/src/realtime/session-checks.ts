import type { Server, Socket } from 'socket.io'
import type { SessionActor } from '../actor.ts'

/** Returns the ids of the sessions that are still valid. */
export type FindLiveSessions = (actors: readonly SessionActor[]) => Promise<ReadonlySet<string>>

/** Interval of session checks for open sockets. */
export const checkEveryMs = 2000
/** If the last successful check is older than this, nothing is pushed and no frame is read. */
const validForMs = 5000

export type SessionChecks = {
  /** Closes the sockets whose session has ended or lost access. */
  check(): Promise<void>
  /** Whether all open sockets were successfully checked within the last seconds. */
  isRecent(): boolean
}

type Checked = {
  findLiveSessions: FindLiveSessions
  /** Checks what else the accounts of sockets may see. */ recheck(sockets: readonly Socket[]): Promise<void>
}

export function createSessionChecks(io: Server, { findLiveSessions, recheck }: Checked): SessionChecks {
  let checkedAt = performance.now()
  return {
    async check() {
      const startedAt = performance.now()
      const sockets = [...io.sockets.sockets.values()]
      const live = await findLiveSessions(sockets.map(actorOf))
      const isLive = (socket: Socket) => live.has(actorOf(socket).sessionId)
      for (const socket of sockets) if (!isLive(socket)) socket.disconnect(true)
      await recheck(sockets.filter(isLive))
      checkedAt = startedAt
    },
    isRecent: () => performance.now() - checkedAt < validForMs,
  }
}

/** Every socket has an actor; others are rejected on connect. */
export function actorOf(socket: Socket): SessionActor {
  return (socket.data as { actor: SessionActor }).actor
}
