import type pg from 'pg'
import { againOnCollision } from '../../../db/collisions.ts'
import { inTransaction } from '../statements.ts'

type Sender = { senderId: string }

/** Senders whose provider has given one id to several messages of a day. */
const sendersOfRepeats = new Set<string>()

/** Thrown when reports were applied to every message with their id instead of the newest. The transaction has to be repeated. */
export class RepeatedIds extends Error {
  override name = 'RepeatedIds'
  readonly senderId: string

  constructor({ senderId }: Sender) {
    super(`The provider of sender ${senderId} has given one id to several messages`)
    this.senderId = senderId
  }
}

/** Whether the messages of one id have to be compared before one is updated, which takes longer and is rarely needed. */
export function mayRepeatIds({ senderId }: Sender): boolean {
  return sendersOfRepeats.has(senderId)
}

/** A transaction that applies reports, repeated after a collision and after the first repeated id of a sender. */
export async function inReportTransaction<Result>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await againOnCollision(() => inTransaction(pool, work))
  } catch (error) {
    if (!(error instanceof RepeatedIds)) throw error
    sendersOfRepeats.add(error.senderId)
    return inReportTransaction(pool, work)
  }
}
