import clsx from 'clsx'
import { Check } from 'lucide-react'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ExamplePhones } from '../../channels/phone/example-phones.tsx'
import { SeeExample } from '../../channels/phone/see-example.tsx'
import { useFirstSteps, type FirstStep } from './use-first-steps.ts'

/** Shown instead of empty figures: an example campaign and the remaining setup steps. */
export function FirstUse({ steps }: { steps: readonly FirstStep[] }) {
  return (
    <section aria-labelledby="first-use" className="min-w-0 rounded-lg border border-border bg-card">
      <div className="flex flex-col items-center px-6 pt-8 pb-6 text-center">
        <ExamplePhones />
        <h2 id="first-use" className="mt-4 text-section font-semibold">
          Send your first campaign
        </h2>
        <p className="max-w-[52ch] text-muted-foreground">
          Add your numbers, choose a template, and preview the message and its cost before sending.
        </p>
        <div className="mt-3">
          <SeeExample />
        </div>
      </div>
      <StepList steps={steps} />
    </section>
  )
}

/** Remaining setup steps before the first campaign, above an overview with content. */
export function FirstSteps() {
  const steps = useFirstSteps()
  if (!steps) return null
  return (
    <Card title="Set up" caption={`${steps.filter(({ done }) => done).length} of ${steps.length}`}>
      <StepList steps={steps} />
    </Card>
  )
}

function StepList({ steps }: { steps: readonly FirstStep[] }) {
  const next = steps.find(({ done }) => !done)
  return (
    <ol aria-label="Set up">
      {steps.map((step, index) => (
        <li key={step.title} className="flex min-h-14 items-center gap-3 border-t border-line px-4 py-2.5">
          <span
            className={clsx(
              'grid size-5.5 shrink-0 place-items-center rounded-full text-caption',
              step.done ? 'bg-brand-muted text-brand-text' : 'border border-input',
            )}
          >
            {step.done ? <Check aria-label="done" className="size-3 stroke-[2.5]!" /> : index + 1}
          </span>
          <span className="min-w-0 flex-1">
            <span className={clsx('block', step.done ? 'text-muted-foreground' : 'font-medium')}>{step.title}</span>
            {step.done ? null : <span className="block text-dense text-muted-foreground">{step.detail}</span>}
          </span>
          {step === next ? <StepAction step={step} /> : null}
        </li>
      ))}
    </ol>
  )
}

function StepAction({ step: { action, to, onOpen } }: { step: FirstStep }) {
  if (to === undefined)
    return (
      <Button size="sm" onClick={onOpen}>
        {action}
      </Button>
    )
  return (
    <Button size="sm" asChild>
      <AreaLink to={to}>{action}</AreaLink>
    </Button>
  )
}
