import type { WizardStep } from '../../../channels/channel-campaigns.ts'
import { TestedValues } from '../ab-tests/tested-messages.tsx'
import { NothingToFill, SameForAll } from './nothing-to-fill.tsx'
import { RowProblems } from './row-problems.tsx'
import type { WizardState } from './use-wizard.ts'

type PersonaliseStepProps = {
  wizard: WizardState
  onStep: (step: WizardStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Sources of all variables of each message, and rows with problems. */
export function PersonaliseStep(props: PersonaliseStepProps) {
  return (
    <TestedValues {...props}>
      <FirstValues {...props} />
    </TestedValues>
  )
}

function FirstValues({ wizard, onStep, onFocus }: PersonaliseStepProps) {
  const { channels, first, audience, counted, setSeq } = wizard
  const { template } = first
  if (!template || !audience) return <NothingToFill lacks={template ? 'audience' : 'template'} onStep={onStep} />
  const values = first.valuesStep({ audience, onFocus })
  if (values === undefined) return <SameForAll name={template.name} />
  return (
    <div className="flex flex-col gap-6">
      {values}
      <RowProblems found={counted} hasLimits={channels.first.editor.limitsValues} onJump={setSeq} />
    </div>
  )
}
