import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import clsx from 'clsx'
import { Circle, CircleAlert, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react'
import { noteOf, stepsOf, type StepState } from './bot-steps.ts'

const looks: Record<StepState, { icon: LucideIcon; tone: string; words: string }> = {
  done: { icon: CircleCheck, tone: 'text-success-text', words: 'done' },
  current: { icon: CircleDot, tone: 'text-info-text', words: 'current' },
  failed: { icon: CircleAlert, tone: 'text-danger-text', words: 'failed' },
  waiting: { icon: Circle, tone: 'text-muted-foreground', words: 'not yet' },
}

/** The steps from the draft of a bot to its launch, in one line. */
export function StepLine({ bot }: { bot: RcsBot }) {
  return (
    <ol className="flex items-center gap-1.5 text-caption" aria-label={`Steps of ${bot.name}`}>
      {stepsOf(bot).map(({ label, state }) => {
        const { icon: Icon, tone, words } = looks[state]
        return (
          <li
            key={label}
            aria-current={state === 'current' ? 'step' : undefined}
            className={clsx(
              'flex items-center gap-1',
              tone,
              'not-first:before:mr-0.5 not-first:before:h-px not-first:before:w-2 not-first:before:bg-input @lg:not-first:before:w-4',
            )}
          >
            <Icon aria-hidden className="size-3.5 shrink-0 max-[400px]:hidden" />
            {label} <span className="sr-only">{words}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** The same steps one below the other, each with what was done or what happens next. */
export function StepList({ bot }: { bot: RcsBot }) {
  const steps = stepsOf(bot)
  return (
    <ol aria-label={`Steps of ${bot.name}`} className="flex flex-col">
      {steps.map(({ label, state }, index) => {
        const { icon: Icon, tone, words } = looks[state]
        return (
          <li key={label} aria-current={state === 'current' ? 'step' : undefined} className="flex gap-3">
            <span className="flex flex-col items-center">
              <Icon aria-hidden className={clsx('size-4.5 shrink-0', tone)} />
              {index < steps.length - 1 ? <span aria-hidden className="my-1 w-px flex-1 bg-border" /> : null}
            </span>
            <div className={clsx('min-w-0 pb-4', index === steps.length - 1 && 'pb-0')}>
              <p className={clsx('leading-4.5 font-medium', state === 'waiting' && 'text-muted-foreground')}>
                {label} <span className="sr-only">{words}</span>
              </p>
              <p className="mt-0.5 text-dense wrap-anywhere text-muted-foreground">{noteOf(bot, label)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
