import { useApi } from '../../../lib/use-api.ts'
import { Pill } from '../../../ui/pill.tsx'
import { carriersOf, stateOf } from './bot-steps.ts'

/** The first bot and its operators. */
export function RcsAccountsState() {
  const bots = useApi('bots.own', {})
  const [bot] = bots.data ?? []
  if (!bots.data) return null
  if (!bot) return <>No bot yet</>
  const { label, tone } = stateOf(bot)
  const carriers = carriersOf(bot)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Pill tone={tone}>{label}</Pill>
      bot {bot.name}
      {carriers ? ` · ${carriers}` : ''}
      {bots.data.length > 1 ? ` · ${bots.data.length - 1} more` : ''}
    </span>
  )
}
