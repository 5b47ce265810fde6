import { eachAsSystem, type Database } from '../../../db/pool.ts'
import type { UserActor } from '../../../actor.ts'
import { readReaches } from '../access/read-reaches.ts'
import type { Reach } from '../access/sees.ts'
import { roomsOfMember } from './rooms.ts'

export type MemberRooms = {
  findRooms(actors: readonly UserActor[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** What the account saw at the last check of its sockets; undefined if it may not use the inbox. */
  reachOf(accountId: string): Reach | undefined
}

/** Keeps what the accounts connected to this process see. */
export function createMemberRooms(database: Database): MemberRooms {
  const known = new Map<string, Reach>()
  return {
    async findRooms(actors) {
      const accountIds = actors.map(({ accountId }) => accountId)
      const reaches = await eachAsSystem(database, (db) => readReaches(db, accountIds))
      for (const { accountId } of actors) known.delete(accountId)
      for (const reach of reaches) known.set(reach.accountId, reach)
      return new Map(reaches.map((reach) => [reach.accountId, roomsOfMember(reach)]))
    },
    reachOf: (accountId) => known.get(accountId),
  }
}
