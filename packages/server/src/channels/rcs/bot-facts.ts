import { BotUseCase } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { BotLaunch, BotVerification } from '@carillon/contract/channels/rcs/rcs-bots'
import { z } from 'zod'

/** What is known of a bot at its operator, as `senders.facts` stores it. Other facts may be beside these. */
export const BotFacts = z.looseObject({
  verification: BotVerification.catch('unverified'),
  /** An empty country: every country without an entry of its own. */
  launches: z.array(BotLaunch).catch([]),
  useCase: BotUseCase.catch('multi_use'),
  status: z.string().catch(''),
})
export type BotFacts = z.infer<typeof BotFacts>

export function readBotFacts(facts: unknown): BotFacts {
  return BotFacts.parse(facts ?? {})
}

/** Whether phones of a country can be reached; a bot that is launched nowhere reaches its test devices only. */
export function isLaunchedIn({ launches }: BotFacts, country: string): boolean {
  const own = launches.filter((launch) => launch.country === country)
  const applying = own.length > 0 ? own : launches.filter((launch) => launch.country === '')
  return applying.some(({ state }) => state === 'launched')
}

export function isLaunchedAnywhere({ launches }: BotFacts): boolean {
  return launches.some(({ state }) => state === 'launched')
}
