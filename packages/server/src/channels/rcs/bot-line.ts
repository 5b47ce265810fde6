import { BotLaunch, BotVerification } from '@carillon/contract/channels/rcs/rcs-bots'
import { BotUseCase } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { z } from 'zod'
import type { LineFacts, PartnerBot } from '../management.ts'

/** What the provider, or the administrator in its place, says of a bot: the facts of its sender. */
const Decisions = z.looseObject({
  verification: BotVerification.catch('unverified').default('unverified'),
  launches: z.array(BotLaunch).catch([]).default([]),
  useCase: BotUseCase.catch('multi_use').default('multi_use'),
  status: z.string().catch('').default(''),
})
export type Decisions = z.infer<typeof Decisions>

export function readDecisions(facts: unknown): Decisions {
  return Decisions.catch({ verification: 'unverified', launches: [], useCase: 'multi_use', status: '' }).parse(facts)
}

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
export function factsOfBot(
  { botId, name, ratePerSecond }: { botId: string; name: string; ratePerSecond: number },
  decided: Decided,
): LineFacts & Decided {
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
    ratePerSecond,
    mode: status === 'LAUNCHED' ? 'live' : 'sandbox',
    verification: decided.verification,
    launches: decided.launches,
    useCase: decided.useCase,
  }
}
