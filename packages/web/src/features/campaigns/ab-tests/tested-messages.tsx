import type { ReactNode } from 'react'
import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { lazyPart } from '../../../lib/lazy-part.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { WizardState } from '../wizard/use-wizard.ts'

const waiting = (
  <Loading label="Loading the test">
    <SkeletonLines count={8} />
  </Loading>
)
const TestTemplates = lazyPart(() => import('./ab-templates.tsx').then((code) => code.TestTemplates), waiting)
const TestValues = lazyPart(() => import('./ab-values.tsx').then((code) => code.TestValues), waiting)
const FurtherMessages = lazyPart(() => import('./further-messages.tsx').then((code) => code.FurtherMessages), waiting)

export type TestStepProps = {
  wizard: WizardState
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
  /** The choices of the first message. */
  children: ReactNode
}

/** The templates of a campaign: that of its message, or of each message of the test. */
export function TestedMessages(props: TestStepProps) {
  const { wizard, children } = props
  return (
    <div className="flex flex-col gap-6">
      <TestHead wizard={wizard} />
      {wizard.test.isOn ? <TestTemplates {...props} /> : children}
    </div>
  )
}

/** The values of a campaign: those of its message, or of each message of the test. */
export function TestedValues(props: TestStepProps) {
  return props.wizard.test.isOn ? <TestValues {...props} /> : props.children
}

/** Templates and values of the further messages together, below those of the first one. */
export function TestedBelow(props: Omit<TestStepProps, 'children'>) {
  const { wizard } = props
  return (
    <div className="flex flex-col gap-6">
      <TestHead wizard={wizard} />
      {wizard.test.isOn ? <FurtherMessages {...props} /> : null}
    </div>
  )
}

function TestHead({ wizard: { test, handle } }: Pick<TestStepProps, 'wizard'>) {
  const { splitOverDays } = handle.draft
  return (
    <div className="flex items-start gap-x-4 border-y border-border py-3">
      <div className="min-w-0 flex-1">
        <h2 className="text-section font-semibold">A/B test</h2>
        <p className="text-dense text-muted-foreground">
          {splitOverDays && !test.isOn
            ? 'Not available while the campaign is sent over several days because of the daily limit.'
            : 'Compares messages with some of the recipients; the others get the best one.'}
        </p>
      </div>
      <div className="pt-1">
        <Switch
          label="A/B test"
          checked={test.isOn}
          disabled={splitOverDays && !test.isOn}
          onCheckedChange={test.switchTo}
        />
      </div>
    </div>
  )
}
