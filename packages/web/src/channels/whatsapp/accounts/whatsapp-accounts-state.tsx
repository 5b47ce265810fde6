import { countOf } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Pill } from '../../../ui/pill.tsx'
import { limitLabel, numberQualityLabels } from '../number-labels.ts'

/** The numbers of all connections, and the one that needs attention first. */
export function WhatsappAccountsState() {
  const connections = useApi('wabas.list', {})
  if (!connections.data) return null
  const numbers = connections.data.flatMap((connection) => connection.numbers).filter(({ isActive }) => isActive)
  const [first] = [...numbers].sort((a, b) => worstFirst.indexOf(a.quality) - worstFirst.indexOf(b.quality))
  if (connections.data.length === 0) return <>Not connected</>
  const isReady = connections.data.some((connection) => connection.isReady)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Pill tone={isReady ? 'good' : 'care'}>{isReady ? 'Connected' : 'Not finished'}</Pill>
      {countOf(numbers.length, 'number')}
      {first
        ? ` · quality ${numberQualityLabels[first.quality].label.toLowerCase()} · ${limitLabel(first.messagingLimit)}`
        : ''}
    </span>
  )
}

const worstFirst = ['red', 'yellow', 'unknown', 'green']
