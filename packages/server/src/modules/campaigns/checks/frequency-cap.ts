import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { FrequencyCap } from '@carillon/contract/sending-rules'
import { advice, blocker, formatCount, pass, type Check } from '../../../channels/channel.ts'
import type { Db } from '../../../db/pool.ts'
import { countCapped } from '../../messages/index.ts'
import { getSendingRules } from '../../sending-rules/index.ts'

type CapQuery = {
  organizationId: string
  audienceId: string
  rule: CampaignDraft['frequencyCap']
  /** Whether one of its messages is advertising. */
  isPromotion: boolean
}

const id = 'frequency-cap'

/** How many people have reached the organisation's cap now; empty if it has none. */
export async function checkFrequencyCap(
  db: Db,
  { organizationId, audienceId, rule, isPromotion }: CapQuery,
): Promise<Check[]> {
  if (rule === 'ignore' && isPromotion)
    return [
      blocker(
        id,
        'A marketing campaign cannot ignore the limit',
        'Only campaigns without marketing messages can be sent to people who have reached the limit.',
      ),
    ]
  const { frequencyCap: cap } = await getSendingRules(db, { organizationId })
  if (!cap) return []
  const limit = formatCap(cap)
  if (rule === 'ignore')
    return [pass(id, 'Sent to people who have reached the limit, too', `The limit of ${limit} does not apply.`)]
  const people = await countCapped(db, { organizationId, audienceId, ...cap })
  if (people === 0)
    return [pass(id, `No one has reached the limit of ${limit}`, 'Checked again as each message is sent.')]
  const who = people === 1 ? 'One person has' : `${formatCount(people)} people have`
  return [advice(id, `${who} reached the limit of ${limit}`, consequence(cap))]
}

function formatCap({ messages, days }: FrequencyCap): string {
  const most = messages === 1 ? 'one marketing campaign' : `${messages} marketing campaigns`
  return `${most} in ${days === 1 ? 'a day' : `${days} days`}`
}

function consequence({ action }: FrequencyCap): string {
  return action === 'skip'
    ? 'They are skipped at no cost. Checked again as each message is sent.'
    : 'They get it as soon as the limit allows. Those whose turn would come after the end of the campaign are skipped at no cost.'
}
