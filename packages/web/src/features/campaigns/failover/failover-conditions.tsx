import type { FailoverCondition } from '@carillon/contract/draft-legs'
import { useId } from 'react'
import type { OutcomeText } from '../../../channels/channel-campaigns.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DurationField } from './duration-field.tsx'
import { hasCondition, waitLimits, withCondition, withWait } from './failover-labels.ts'

type FailoverConditionsProps = {
  /** Label of the channel that takes over. */
  next: string
  outcomes: readonly OutcomeText[]
  conditions: readonly FailoverCondition[]
  onConditions: (conditions: FailoverCondition[]) => void
}

/** Conditions for failover; the first match applies. */
export function FailoverConditions({ next, outcomes, conditions, onConditions }: FailoverConditionsProps) {
  const titleId = useId()
  const hasBoth = hasCondition(conditions, 'undelivered_after') && hasCondition(conditions, 'unread_after')
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-1 flex min-h-8 flex-wrap items-baseline gap-x-2">
        <h2 id={titleId} className="text-section font-semibold">
          {next} takes over when
        </h2>
        <p className="text-dense text-muted-foreground">first match applies</p>
      </div>
      <ul className="grid grid-cols-2 gap-x-8 border-t border-border max-md:grid-cols-1">
        {outcomes.map(({ type, label, help, minutes }) => {
          const condition = conditions.find((one) => one.type === type)
          return (
            <li
              key={type}
              className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line py-1.5"
            >
              <div className="min-w-48 flex-1">
                <Checkbox
                  label={label}
                  help={help}
                  checked={condition !== undefined}
                  onChange={({ target }) =>
                    onConditions(withCondition(conditions, { type, isOn: target.checked }, outcomes))
                  }
                />
              </div>
              {minutes && condition ? (
                <DurationField
                  label={`Time until ${label.toLowerCase()}`}
                  seconds={condition.afterSeconds ?? minutes * 60}
                  {...waitLimits}
                  onSeconds={(seconds) => onConditions(withWait(conditions, { type, seconds }))}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {hasBoth ? (
        <p className="mt-2 text-dense text-muted-foreground">
          With both times set, the shorter one applies: people who have not read it by then get the {next}.
        </p>
      ) : null}
    </section>
  )
}
