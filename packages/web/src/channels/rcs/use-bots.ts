import type { RcsBotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import { useApi } from '../../lib/use-api.ts'

/** The bots of an organisation that can be chosen. */
export function useRcsBots() {
  const read = useApi('bots.botIds', {}, { staleTime: 30_000 })
  return {
    bots: read.data ?? [],
    isPending: read.isPending,
    error: read.error,
    retry: () => void read.refetch(),
  }
}

/** The bot of a template; undefined for one that any bot may send. */
export function botOf(bots: readonly RcsBotChoice[], botId: string | null): RcsBotChoice | undefined {
  return bots.find((bot) => bot.botId === botId)
}

/** The brand as the phone shows it. */
export function brandOf(bot: RcsBotChoice | undefined) {
  return bot
    ? { sender: bot.name, color: bot.color, logoUrl: bot.logoUrl ?? undefined, isVerified: bot.isVerified }
    : { sender: '' }
}
