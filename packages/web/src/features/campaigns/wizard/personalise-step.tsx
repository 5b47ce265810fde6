import type { Audience } from '@carillon/contract/audience'
import type { VariableSource } from '@carillon/contract/campaign-records'
import type { Estimate } from '@carillon/contract/campaigns'
import type { SmsTemplate } from '@carillon/contract/templates'
import { Check } from 'lucide-react'
import { kindLabels } from '../../../channels/sms/insert-variable.tsx'
import { countOf } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { VariableRow } from './variable-row.tsx'

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
  if (!template || !audience) {
    const lacks = template ? 'audience' : 'template'
    return (
      <Empty
        icon={Check}
        title={template ? 'Add an audience first' : 'Choose a template first'}
        actions={
          <Button variant="primary" onClick={() => onStep(lacks)}>
            {template ? 'Add an audience' : 'Choose a template'}
          </Button>
        }
      >
        Then each variable of the text can take its value from a column.
      </Empty>
    )
  }
  if (template.variables.length === 0) {
    return (
      <Empty icon={Check} title="Nothing to fill in">
        {template.name} has no variables; everyone gets the same text.
      </Empty>
    )
  }

  const change = (index: number, source: VariableSource) =>
    onSources(template.variables.map((_, place) => (place === index ? source : (sources[place] ?? { fallback: '' }))))

  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="sources-title">
        <div className="mb-1 flex min-h-8 flex-wrap items-baseline gap-x-2 max-md:mb-2">
          <h2 id="sources-title" className="text-section font-semibold">
            Variables
          </h2>
          <p className="text-dense text-muted-foreground">
            {countOf(template.variables.length, 'variable')}, each from a column or the same for everyone
          </p>
        </div>
        <ul className="border-y border-border">
          {template.variables.map((variable, index) => (
            <VariableRow
              key={index}
              variable={variable}
              kindLabel={kindLabels[variable.kind]}
              source={sources[index] ?? { fallback: '' }}
              columns={audience.columns}
              phoneColumn={audience.mapping?.phoneColumn}
              firstRow={audience.sample[0] ?? []}
              onChange={(source) => change(index, source)}
              onFocus={onFocus}
            />
          ))}
        </ul>
      </section>
      <Problems estimate={estimate} onJump={onJump} />
    </div>
  )
}

function Problems({ estimate, onJump }: { estimate: Estimate | undefined; onJump: (seq: number) => void }) {
  if (!estimate) return null
  const { missing, tooLong, missingSeqs, tooLongSeqs } = estimate
  if (missing === 0 && tooLong === 0) {
    return (
      <p role="status" className="flex items-center gap-2 text-dense text-muted-foreground">
        <Check aria-hidden className="size-4 text-success-text" /> Every row has a value that fits
      </p>
    )
  }
  const [firstMissing] = missingSeqs
  const [firstLong] = tooLongSeqs
  return (
    <div className="flex flex-col gap-2">
      {missing > 0 ? (
        <Notice
          tone="care"
          actions={firstMissing === undefined ? null : <ShowRow onShow={() => onJump(firstMissing)} />}
        >
          <b>{countOf(missing, 'row')} without a value.</b> They are skipped; enter a value for empty cells to send to
          them as well.
        </Notice>
      ) : null}
      {tooLong > 0 ? (
        <Notice tone="care" actions={firstLong === undefined ? null : <ShowRow onShow={() => onJump(firstLong)} />}>
          <b>{countOf(tooLong, 'row')} with a value that is too long.</b> Operators may refuse them; trim the value.
        </Notice>
      ) : null}
    </div>
  )
}

function ShowRow({ onShow }: { onShow: () => void }) {
  return (
    <Button size="tool" className="text-foreground" onClick={onShow}>
      Show on phone
    </Button>
  )
}
