import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import { useMemo } from 'react'
import { useApi } from '../../lib/use-api.ts'

/** The bots that can be chosen as sender, those that can send first. */
export function useRcsBots() {
  const read = useApi('bots.list', { query: {} }, { staleTime: 30_000 })
  const bots = useMemo(
    () => (read.data ?? []).toSorted((one, other) => Number(canSend(other)) - Number(canSend(one))),
    [read.data],
  )
  return {
    bots,
    isPending: read.isPending,
    error: read.error,
    retry: () => void read.refetch(),
  }
}

function canSend({ isActive, launches }: BotChoice): boolean {
  return isActive && launches.some(({ state }) => state === 'launched')
}

/** The bot of a template; undefined for one that any bot may send. */
export function botOf(bots: readonly BotChoice[], botId: string | null): BotChoice | undefined {
  return bots.find((bot) => bot.botId === botId)
}

export function isVerified({ verification }: Pick<BotChoice, 'verification'>): boolean {
  return verification === 'verified'
}

/** The brand as the phone shows it. */
export function brandOf(bot: BotChoice | undefined) {
  return bot
    ? { sender: bot.name, color: bot.color, logoUrl: bot.logoUrl ?? undefined, isVerified: isVerified(bot) }
    : { sender: '' }
}
