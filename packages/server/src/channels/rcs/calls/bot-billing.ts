import type { BotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { Db } from '../../../db/pool.ts'
import { saveConversationCategory } from '../../../modules/senders/index.ts'
import { conversationCategoryOf } from '../bot-line.ts'

/** Whether conversations with a bot are charged: unchanged if it is not said, and not charged if the billing was emptied. */
export async function saveBilling(
  db: Db,
  bot: { organizationId: string; id: string },
  { billing }: { billing?: BotDetails['billing'] | null | undefined },
): Promise<void> {
  if (billing !== undefined) await saveConversationCategory(db, bot, billing && conversationCategoryOf(billing))
}
