import { channelTraits } from '@carillon/contract/channels/table'
import type { Conversation } from '@carillon/contract/conversation-records'
import { useDeferredValue, type ReactNode } from 'react'
import { channelChats } from '../../../channels/chats.ts'
import { channels } from '../../../channels/index.ts'
import { formatMoney, formatUnitPrice } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'

type ReplyCostProps = { conversation: Pick<Conversation, 'channel' | 'phoneNumber'>; text: string }

/** The parts of a text and what they cost, on channels that charge for each message. */
export function ReplyCost({ conversation: { channel, phoneNumber }, text }: ReplyCostProps) {
  const typed = useDeferredValue(text)
  const price = useUnitPrice(channel, phoneNumber)
  const nouns = channels[channel].price
  if (channelTraits[channel].hasServiceWindow || typed.trim() === '' || !nouns) return null
  const counted = channelChats[channel]?.countParts?.(typed)
  if (!counted) {
    if (price === undefined) return null
    return (
      <Line>
        {formatUnitPrice(price)} per {nouns.unit}
      </Line>
    )
  }
  const { parts, unitsLeft } = counted
  return (
    <Line>
      {parts} {parts === 1 ? nouns.unit : nouns.units} · {unitsLeft} left
      {price === undefined ? '' : ` · ${formatMoney(parts * price)}`}
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <span className="min-w-0 truncate pl-2 text-caption text-muted-foreground tabular-nums">{children}</span>
}

/** The price of one unit to the person's country; undefined if it depends on the category, or is not set. */
function useUnitPrice(channel: Conversation['channel'], phoneNumber: string | undefined): number | undefined {
  const rates = useApi('rates.list', { query: { channel } }, { staleTime: 60_000 })
  const place = phoneNumber?.startsWith('+91') ? 'IN' : '*'
  const own = (rates.data?.rates ?? []).filter((rate) => rate.channel === channel)
  const local = own.filter(({ country }) => country === place)
  const fitting = local.length > 0 ? local : own.filter(({ country }) => country === '*')
  const general = fitting.find(({ category }) => category === '*')
  if (general) return general.price
  const [first] = fitting
  return fitting.every(({ price }) => price === first?.price) ? first?.price : undefined
}
