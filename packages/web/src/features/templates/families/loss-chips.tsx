import type { Loss } from '@carillon/contract/message-losses'
import { TriangleAlert } from 'lucide-react'
import { Pill } from '../../../ui/pill.tsx'

type LossChipsProps = {
  losses: readonly Loss[]
  /** The rest is a number. */
  most?: number
  /** Accessible name of the list. */
  label: string
}

/** Things that a message changes without leaving anything out. */
const mild: readonly Loss['kind'][] = ['links', 'parts', 'unicode']

/** What a rendition lacks compared with the richest one; empty if nothing. */
export function LossChips({ losses, most = losses.length, label }: LossChipsProps) {
  if (losses.length === 0) return null
  const rest = losses.slice(most)
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1">
      {losses.slice(0, most).map(({ kind, label: text }) => (
        <li key={kind} className="flex">
          {mild.includes(kind) ? (
            <Pill tone="neutral">{text}</Pill>
          ) : (
            <Pill tone="care" icon={TriangleAlert}>
              {text}
            </Pill>
          )}
        </li>
      ))}
      {rest.length > 0 ? (
        <li className="flex" title={rest.map(({ label: text }) => text).join(', ')}>
          <Pill tone="neutral">
            +{rest.length}
            <span className="sr-only">: {rest.map(({ label: text }) => text).join(', ')}</span>
          </Pill>
        </li>
      ) : null}
    </ul>
  )
}
