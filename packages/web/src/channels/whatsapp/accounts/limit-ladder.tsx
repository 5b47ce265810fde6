import clsx from 'clsx'
import { limitSteps, nextLimitLabel, limitStepOf } from '../number-labels.ts'
import { formatCount } from '../../../lib/format.ts'

/** The daily messaging limit: current step, and how to reach the next one. */
export function LimitLadder({ limits }: { limits: readonly (number | null)[] }) {
  // All numbers of a business share one limit; if Meta reports several, the highest applies.
  const limit = limits.includes(null) ? null : Math.max(0, ...limits.map((each) => each ?? 0))
  const rung = limitStepOf(limit)
  return (
    <section aria-labelledby="ladder-title" className="max-w-190 py-6 screen-x">
      <h2 id="ladder-title" className="text-section font-semibold">
        Daily messaging limit
      </h2>
      <ol className="mt-4 flex">
        {limitSteps.map((value, index) => (
          <li key={index} aria-current={index === rung ? 'step' : undefined} className="min-w-0 flex-1">
            <span
              aria-hidden
              className={clsx('block h-1.5 border-r-2 border-background', index <= rung ? 'bg-whatsapp' : 'bg-track')}
            />
            <span
              className={clsx(
                'mt-1.5 block text-dense tabular-nums',
                index === rung ? 'font-semibold' : 'text-muted-foreground',
              )}
            >
              {value === null ? 'No limit' : formatCount(value)}
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-dense text-muted-foreground">{nextLimitLabel(limit)}</p>
      <p className="text-dense text-muted-foreground">
        All numbers of a business portfolio share the limit. Answers within 24 hours of a customer’s message do not
        count.
      </p>
    </section>
  )
}
