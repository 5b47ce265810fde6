import type { ConversationChange } from '@carillon/contract/conversations'
import type { Db } from '../../../db/pool.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Member } from '../access/sees.ts'
import { changeConversation } from './change-conversation.ts'

export type ManyChanged = { changed: string[]; refused: { chatId: string; message: string }[] }

/** Changes each conversation that allows it, in the order of ids, so that two such calls do not wait for each other in a circle. */
export async function changeMany(
  db: Db,
  { member, ids, change }: { member: Member; ids: readonly string[]; change: ConversationChange },
): Promise<ManyChanged> {
  const result: ManyChanged = { changed: [], refused: [] }
  for (const id of [...new Set(ids)].sort()) {
    try {
      await changeConversation(db, { member, id, change })
      result.changed.push(id)
    } catch (error) {
      // Thrown before anything of this conversation is written. An error of the input concerns them all.
      if (!(error instanceof Problem) || error.code === 'bad_request') throw error
      result.refused.push({ chatId: id, message: error.message })
    }
  }
  return result
}
