import { z } from 'zod'

/** The state of a bot's launch with one operator or in one country. */
export const botLaunchStates = ['pending', 'launched', 'rejected', 'suspended', 'unlaunched'] as const

/** What is known of a bot at its operator, as `senders.facts` stores it. Other facts may be beside these. */
export const BotFacts = z.looseObject({
  verification: z.enum(['unverified', 'pending', 'verified', 'rejected']).catch('unverified'),
  launches: z
    .array(
      z.looseObject({
        /** Two-letter code; empty for every country without an entry of its own. */
        country: z.string().catch(''),
        carrier: z.string().catch(''),
        state: z.enum(botLaunchStates).catch('pending'),
      }),
    )
    .catch([]),
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
