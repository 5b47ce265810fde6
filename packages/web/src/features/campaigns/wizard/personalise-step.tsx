import type { Audience } from '@carillon/contract/audience'
import type { VariableSource } from '@carillon/contract/campaign-records'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { SmsTemplate } from '@carillon/contract/templates'
import { Check } from 'lucide-react'
import { countOf } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { RowProblems } from './row-problems.tsx'
import { smsRows, SourceList, withSource } from './source-list.tsx'

type PersonaliseStepProps = {
  template: SmsTemplate | undefined
  audience: Audience | undefined
  sources: readonly VariableSource[]
  estimate: Estimate | undefined
  onSources: (sources: VariableSource[]) => void
  onJump: (seq: number) => void
  onFocus: (variable: string | undefined) => void
  onStep: (step: 'audience' | 'template') => void
}

/** Where each variable gets its value, and which rows still have a problem. */
export function PersonaliseStep(props: PersonaliseStepProps) {
  const { template, audience, sources, estimate, onSources, onJump, onFocus, onStep } = props
  if (!template || !audience) return <NothingToFill lacks={template ? 'audience' : 'template'} onStep={onStep} />
  if (template.variables.length === 0) return <SameForAll name={template.name} />

  const count = template.variables.length
  return (
    <div className="flex flex-col gap-6">
      <SourceList
        id="sources-title"
        title="Variables"
        caption={`${countOf(count, 'variable')}, each from a column or the same for everyone`}
        audience={audience}
        variables={smsRows(template)}
        sources={sources}
        onSource={(index, source) => onSources(withSource(sources, { index, source, count }))}
        onFocus={onFocus}
      />
      <RowProblems found={estimate} onJump={onJump} />
    </div>
  )
}

type NothingToFillProps = { lacks: 'audience' | 'template'; onStep: (step: 'audience' | 'template') => void }

/** There is nothing to fill in before there are people and a text. */
export function NothingToFill({ lacks, onStep }: NothingToFillProps) {
  const isTemplate = lacks === 'template'
  return (
    <Empty
      icon={Check}
      title={isTemplate ? 'Choose a template first' : 'Add an audience first'}
      actions={
        <Button variant="primary" onClick={() => onStep(lacks)}>
          {isTemplate ? 'Choose a template' : 'Add an audience'}
        </Button>
      }
    >
      Then each variable of the text can take its value from a column.
    </Empty>
  )
}

export function SameForAll({ name }: { name: string }) {
  return (
    <Empty icon={Check} title="Nothing to fill in">
      {name} has no variables; everyone gets the same text.
    </Empty>
  )
}
