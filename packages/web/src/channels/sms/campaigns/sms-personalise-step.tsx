import { NothingToFill, SameForAll } from '../../../features/campaigns/wizard/nothing-to-fill.tsx'
import { RowProblems } from '../../../features/campaigns/wizard/row-problems.tsx'
import { SourceList } from '../../parts/source-list.tsx'
import { withSource } from '../../parts/variable-sources.ts'
import type { SmsStep } from './sms-draft-state.ts'
import { smsVariableRows } from './sms-variable-rows.ts'
import type { SmsWizardState } from './use-sms-wizard.ts'

type SmsPersonaliseStepProps = {
  wizard: SmsWizardState
  onStep: (step: SmsStep) => void
  onFocus: (variable: string | undefined) => void
}

/** Where each variable gets its value, and which rows still have a problem. */
export function SmsPersonaliseStep({ wizard, onStep, onFocus }: SmsPersonaliseStepProps) {
  const { handle, template, audience, counted, setSeq } = wizard
  if (!template || !audience) return <NothingToFill lacks={template ? 'audience' : 'template'} onStep={onStep} />
  const count = template.variables.length
  if (count === 0) return <SameForAll name={template.name} />

  const sources = handle.draft.variables
  return (
    <div className="flex flex-col gap-6">
      <SourceList
        id="sources-title"
        title="Variables"
        audience={audience}
        variables={smsVariableRows(template)}
        sources={sources}
        onSource={(index, source) => handle.change({ variables: withSource(sources, { index, source, count }) })}
        onFocus={onFocus}
      />
      <RowProblems found={counted} onJump={setSeq} />
    </div>
  )
}
