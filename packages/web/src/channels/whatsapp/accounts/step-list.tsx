import type { StepState, WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import clsx from 'clsx'
import { Check, CircleDashed, OctagonX } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { RegistrationForm, TestForm, type StepValues } from './step-forms.tsx'
import { stepTitles } from './texts.ts'

/** The connection steps of an account in order, each with its result and a button to run it again. */
export function StepList({ connection }: { connection: WhatsappConnection }) {
  const run = useApiWrite('wabas.runStep', {
    refreshes: ['wabas.list', 'wabas.active'],
    onError: (error) => toast.error(error.message),
  })
  const next = connection.steps.find(({ state }) => state !== 'passed')?.step
  return (
    <ol className="mt-5 border-t border-border" aria-label={`Steps of ${connection.name}`}>
      {connection.steps.map((state) => {
        const isRunning = run.isPending && run.variables.path.step === state.step
        const isOpen = state.step === next || state.state === 'failed'
        const action = mayCall('wabas.runStep') ? (
          <StepAction
            state={state}
            connection={connection}
            isOpen={isOpen}
            isRunning={isRunning}
            onRun={(body) => run.mutate({ path: { id: connection._id, step: state.step }, body })}
          />
        ) : null
        return (
          <li key={state.step} className="flex gap-3 border-b border-line py-3">
            <StepMark state={state.state} isRunning={isRunning} />
            <div className="min-w-0 flex-1">
              <h3 className={clsx('font-medium', state.state === 'waiting' && 'text-muted-foreground')}>
                {stepTitles[state.step]}
              </h3>
              <p
                role={state.state === 'failed' ? 'alert' : undefined}
                className={clsx(
                  'text-dense [overflow-wrap:anywhere]',
                  state.state === 'failed' ? 'text-danger-text' : 'text-muted-foreground',
                )}
              >
                {state.message}
                {state.at ? (
                  <span className="text-muted-foreground">
                    {' '}
                    · <When at={state.at} />
                  </span>
                ) : null}
              </p>
              {isOpen ? action : null}
            </div>
            {isOpen ? null : action}
          </li>
        )
      })}
    </ol>
  )
}

const marks = {
  passed: { icon: Check, look: 'bg-success-muted text-success-text', word: 'Passed: ' },
  failed: { icon: OctagonX, look: 'bg-danger-muted text-danger-text', word: 'Failed: ' },
  waiting: { icon: CircleDashed, look: 'bg-secondary text-muted-foreground', word: 'Waiting: ' },
} as const

function StepMark({ state, isRunning }: { state: StepState['state']; isRunning: boolean }) {
  const { icon: Icon, look, word } = marks[state]
  return (
    <span className={clsx('mt-px grid size-5.5 shrink-0 place-items-center rounded-full', look)}>
      {isRunning ? <Spinner className="size-3.5!" /> : <Icon aria-hidden className="size-3.5" />}
      <span className="sr-only">{word}</span>
    </span>
  )
}

type StepActionProps = {
  state: StepState
  connection: WhatsappConnection
  /** Whether this is the next step, or a failed one. */
  isOpen: boolean
  isRunning: boolean
  onRun: (values: StepValues) => void
}

const retryLabels = { failed: 'Try again', passed: 'Check again', waiting: 'Check now' } as const

/** The form of a step, or the button that runs it again. */
function StepAction({ state: { step, state }, connection, isOpen, isRunning, onRun }: StepActionProps) {
  const Form = step === 'registration' ? RegistrationForm : step === 'test' ? TestForm : undefined
  if (Form) return isOpen ? <Form numbers={connection.numbers} isRunning={isRunning} onRun={onRun} /> : null
  if (!isOpen && state === 'waiting') return null
  return (
    <Button
      size="tool"
      variant={isOpen ? 'outline' : 'ghost'}
      className={isOpen ? 'mt-2' : 'shrink-0 text-muted-foreground'}
      loading={isRunning}
      onClick={() => onRun({})}
    >
      {retryLabels[state]}
    </Button>
  )
}
