import clsx from 'clsx'
import { Check } from 'lucide-react'
import { Fragment } from 'react'

export type Step<Id extends string = string> = {
  id: Id
  label: string
  /** Number of problems in this step. */
  problems?: number
  done?: boolean
  /** URL of the step, so that it can be opened in a new tab. */
  href?: string
}

type StepperProps<Id extends string> = { steps: readonly Step<Id>[]; current: Id; onStep: (id: Id) => void }

/** All steps are always accessible; each shows whether it is done or has problems. */
export function Stepper<Id extends string>({ steps, current, onStep }: StepperProps<Id>) {
  const place = steps.findIndex((step) => step.id === current)
  return (
    <nav aria-label="Steps">
      <ol className="flex h-10 items-center gap-2.5 whitespace-nowrap max-md:hidden lg:max-xl:hidden">
        {steps.map((step, index) => (
          <Fragment key={step.id}>
            {index > 0 ? <li aria-hidden className="h-px max-w-10 flex-1 bg-border" /> : null}
            <li>
              <StepButton step={step} number={index + 1} current={step.id === current} onStep={() => onStep(step.id)} />
            </li>
          </Fragment>
        ))}
      </ol>
      <div className="mt-1 mb-5 md:max-lg:hidden xl:hidden">
        <p className="text-dense text-muted-foreground">
          Step {place + 1} of {steps.length} · <b className="text-foreground">{steps[place]?.label}</b>
        </p>
        <div className="mt-2 grid auto-cols-fr grid-flow-col gap-1">
          {steps.map((step, index) => (
            <button
              key={step.id}
              type="button"
              aria-label={step.label}
              aria-current={step.id === current ? 'step' : undefined}
              onClick={() => onStep(step.id)}
              className="flex h-6 items-center"
            >
              <span className={clsx('h-0.75 w-full rounded-full', index <= place ? 'bg-brand' : 'bg-track')} />
            </button>
          ))}
        </div>
      </div>
    </nav>
  )
}

type StepButtonProps = { step: Step; number: number; current: boolean; onStep: () => void }

function StepButton({ step, number, current, onStep }: StepButtonProps) {
  const problems = step.problems ?? 0
  return (
    <a
      href={step.href ?? '#'}
      aria-current={current ? 'step' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onStep()
      }}
      className={clsx(
        'flex items-center gap-2 rounded-md font-medium hover:text-foreground',
        current || step.done ? 'text-foreground' : 'text-muted-foreground',
      )}
    >
      <StepMark step={step} number={number} current={current} />
      {step.label}
      {problems > 0 ? <span className="sr-only">, {problems} to look at</span> : null}
      {step.done && problems === 0 ? <span className="sr-only">, done</span> : null}
    </a>
  )
}

function StepMark({ step, number, current }: Omit<StepButtonProps, 'onStep'>) {
  const problems = step.problems ?? 0
  const isPassed = !current && step.done === true && problems === 0
  return (
    <span
      className={clsx(
        'grid size-5.5 place-items-center rounded-full text-caption tabular-nums',
        circleOf({ current, problems, done: step.done }),
      )}
    >
      {isPassed ? (
        <Check aria-hidden className="size-3 stroke-[2.5]!" />
      ) : current || problems === 0 ? (
        number
      ) : (
        problems
      )}
    </span>
  )
}

function circleOf({
  current,
  problems,
  done,
}: {
  current: boolean
  problems: number
  done: boolean | undefined
}): string {
  if (current) return 'bg-brand text-brand-foreground'
  if (problems > 0) return 'bg-warning-muted text-warning-text'
  return done ? 'bg-brand-muted text-brand-text' : 'border border-input'
}
