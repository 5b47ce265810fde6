import type { BotLaunch } from '@carillon/contract/channels/rcs/rcs-bots'
import { rcsTraits } from '@carillon/contract/channels/rcs/rcs-traits'
import type { LineFacts, PartnerBot } from '../management.ts'

/** Over all operators: launched with one of them is launched. */
export function statusOfBot(launches: readonly Pick<BotLaunch, 'state'>[]): string {
  const has = (state: BotLaunch['state']) => launches.some((launch) => launch.state === state)
  if (has('launched')) return 'LAUNCHED'
  if (has('suspended') || has('terminated')) return 'SUSPENDED'
  if (has('pending')) return 'PENDING'
  return has('rejected') ? 'REJECTED' : 'UNLAUNCHED'
}

type Decided = Pick<PartnerBot, 'verification' | 'launches' | 'useCase'>

/** The facts of a bot's sender, a line of its account. */
export function factsOfBot({ botId, name }: { botId: string; name: string }, decided: Decided): LineFacts & Decided {
  const status = statusOfBot(decided.launches)
  return {
    id: botId,
    displayNumber: name,
    name,
    nameStatus: '',
    quality: 'unknown',
    status,
    messagingLimit: null,
    limitGroup: botId,
    ratePerSecond: null,
    mode: status === 'LAUNCHED' ? 'live' : 'sandbox',
    verification: decided.verification,
    launches: decided.launches,
    useCase: decided.useCase,
  }
}

/** The rate category of the conversations of a bot; null if its operators do not bill by conversation. */
export function conversationCategoryOf(billing: NonNullable<PartnerBot['billing']>): string | null {
  return billing === 'conversational' ? (rcsTraits.conversationCategory ?? null) : null
}
