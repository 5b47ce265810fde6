import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { useApi } from '../../../lib/use-api.ts'
import { Pill } from '../../../ui/pill.tsx'
import { stateOf } from './bot-steps.ts'
import { Carriers } from './carriers.tsx'

/** The bot that has come furthest, and its operators. */
export function RcsAccountsState() {
  const bots = useApi('bots.own', {})
  if (!bots.data) return null
  const [bot] = bots.data.toSorted((one, other) => rank(one) - rank(other))
  if (!bot) return <>No bot yet</>
  const { label, tone } = stateOf(bot)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="inline-flex items-center gap-2">
        <Pill tone={tone}>{label}</Pill> bot {bot.name}
        {bots.data.length > 1 ? ` · ${bots.data.length - 1} more` : ''}
      </span>
      <Carriers launches={bot.launches} />
    </span>
  )
}

/** Live, launched and off, created, requested, rejected. */
function rank({ state, isActive, launches }: RcsBot): number {
  if (state !== 'created') return state === 'requested' ? 3 : 4
  if (!launches.some((launch) => launch.state === 'launched')) return 2
  return isActive ? 0 : 1
}
