import clsx from 'clsx'
import { Ban, CircleCheck, Clock, OctagonX, type LucideIcon } from 'lucide-react'
import { launchLabels, operatorOf, type Launch } from './bot-steps.ts'

export const launchIcons: Record<Launch['state'], LucideIcon> = {
  launched: CircleCheck,
  pending: Clock,
  rejected: OctagonX,
  suspended: OctagonX,
  terminated: Ban,
}

const tones = {
  good: 'text-success-text',
  info: 'text-info-text',
  care: 'text-warning-text',
  bad: 'text-danger-text',
  neutral: 'text-muted-foreground',
} as const

/** The decision of each operator in one line. */
export function Carriers({ launches }: { launches: readonly Launch[] }) {
  if (launches.length === 0) return null
  return (
    <ul aria-label="Operators" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-caption">
      {launches.map((launch) => {
        const { label, tone } = launchLabels[launch.state]
        const Icon = launchIcons[launch.state]
        return (
          <li key={`${launch.country}${launch.carrier}`} className="inline-flex items-center gap-1">
            <Icon aria-hidden className={clsx('size-3.5 shrink-0', tones[tone])} />
            {operatorOf(launch)} <span className="sr-only">{label}</span>
          </li>
        )
      })}
    </ul>
  )
}
