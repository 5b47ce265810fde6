import type { PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { RcsPriceClass } from '@carillon/contract/channels/rcs/rcs-price-class'
import type { Db } from '../../../db/pool.ts'
import { saveConversationCategory } from '../../../modules/senders/index.ts'

const category: RcsPriceClass = 'conversation'

/** Conversations are charged with bots that their operators bill by conversation. */
export async function saveBilling(
  db: Db,
  bot: { organizationId: string; id: string },
  { billing }: PartialBotDetails,
): Promise<void> {
  await saveConversationCategory(db, bot, billing === 'conversational' ? category : null)
}
