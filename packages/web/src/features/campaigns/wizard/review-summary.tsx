import type { SummaryFact, WizardStep } from '../../../channels/channel-campaigns.ts'
import clsx from 'clsx'
import { Button } from '../../../ui/button.tsx'

type ReviewSummaryProps = {
  facts: readonly SummaryFact[]
  onStep: (step: WizardStep) => void
}

/** All choices, each with an edit link. */
export function ReviewSummary({ facts, onStep }: ReviewSummaryProps) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-border max-xl:grid-cols-1">
      {facts.map(({ label, id = label, isLong, value, note, step }) => (
        <div
          key={id}
          className="grid min-h-10 grid-cols-[84px_minmax(0,1fr)] items-center gap-2 border-line nth-[n+3]:border-t last:odd:col-span-full max-xl:not-first:border-t max-md:min-h-11"
        >
          <dt className="text-dense text-muted-foreground">{label}</dt>
          <dd className="flex min-w-0 items-center gap-2">
            <span
              className={clsx('min-w-0 flex-1 font-medium tabular-nums max-md:py-2', isLong ? 'py-2' : 'md:truncate')}
            >
              {value ?? <span className="font-normal text-warning-text">Not chosen</span>}
              {note ? <small className="ml-1.5 text-dense font-normal text-muted-foreground">{note}</small> : null}
            </span>
            <Button
              variant="ghost"
              size="tool"
              className="-mr-1.5 text-muted-foreground"
              aria-label={`Edit ${label}`}
              onClick={() => onStep(step)}
            >
              Edit
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  )
}
