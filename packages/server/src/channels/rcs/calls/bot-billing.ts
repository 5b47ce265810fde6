import type { PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { Db } from '../../../db/pool.ts'
import { saveConversationCategory } from '../../../modules/senders/index.ts'
import { conversationCategoryOf } from '../bot-line.ts'

/** Whether conversations with a bot are charged; unchanged without a billing category. */
export async function saveBilling(
  db: Db,
  bot: { organizationId: string; id: string },
  { billing }: Pick<PartialBotDetails, 'billing'>,
): Promise<void> {
  if (billing) await saveConversationCategory(db, bot, conversationCategoryOf(billing))
}
