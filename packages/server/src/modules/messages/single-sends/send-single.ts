import type { Db } from '../../../db/pool.ts'
import { acceptSingles } from './accept-singles.ts'
import type { AcceptedSingle, SingleSend } from './single-send.ts'

/** Accepts one message in the caller's transaction, or throws why it is refused. */
export async function sendSingle(db: Db, send: SingleSend): Promise<AcceptedSingle> {
  const [answer] = await acceptSingles(db, [send])
  if (!answer) throw new Error('A message was not answered')
  if ('refused' in answer) throw answer.refused
  return answer.accepted
}
