import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import clsx from 'clsx'
import { Circle, CircleAlert, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { stepsOf, type StepState } from './bot-steps.ts'

const looks: Record<StepState, { icon: LucideIcon; tone: string; words: string }> = {
  done: { icon: CircleCheck, tone: 'text-success-text', words: 'done' },
  current: { icon: CircleDot, tone: 'text-info-text', words: 'current' },
  failed: { icon: CircleAlert, tone: 'text-danger-text', words: 'rejected' },
  waiting: { icon: Circle, tone: 'text-muted-foreground', words: 'not yet' },
}

/** The steps from the draft of a bot to its launch. */
export function StepLine({ bot }: { bot: RcsBot }) {
  return (
    <ol className="flex flex-wrap items-center gap-x-3 gap-y-1" aria-label={`Steps of ${bot.name}`}>
      {stepsOf(bot).map(({ label, state }) => {
        const { icon: Icon, tone, words } = looks[state]
        return (
          <li key={label} className={clsx('flex items-center gap-1 text-caption', tone)}>
            <Icon aria-hidden className="size-3.5" />
            {label} <span className="sr-only">{words}</span>
          </li>
        )
      })}
    </ol>
  )
}
