import type { Audience } from '@carillon/contract/audience'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { checkVariable, longestValue } from '@carillon/contract/sms-variables'
import type { SmsTemplate } from '@carillon/contract/templates'
import type { ReactNode } from 'react'
import { kindLabels } from '../../../channels/sms/insert-variable.tsx'
import { VariableRow, type RowVariable } from './variable-row.tsx'

type SourceListProps = {
  /** Names the section for readers. */
  id: string
  title: string
  caption: ReactNode
  audience: Audience
  variables: readonly RowVariable[]
  sources: readonly (VariableSource | undefined)[]
  onSource: (index: number, source: VariableSource) => void
  onFocus: (variable: string | undefined) => void
  /** Under the rows: what else the section fills in. */
  children?: ReactNode
}

/** Variables with the column or the value each takes. */
export function SourceList(props: SourceListProps) {
  const { id, title, caption, audience, variables, sources, onSource, onFocus, children } = props
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex min-h-8 flex-wrap items-baseline gap-x-2 max-md:mb-2">
        <h2 id={id} className="text-section font-semibold">
          {title}
        </h2>
        <p className="text-dense text-muted-foreground">{caption}</p>
      </div>
      {variables.length > 0 ? (
        <ul className="border-y border-border">
          {variables.map((variable, index) => (
            <VariableRow
              key={variable.id}
              variable={variable}
              source={sources[index] ?? { fallback: '' }}
              columns={audience.columns}
              phoneColumn={audience.mapping?.phoneColumn}
              firstRow={audience.sample[0] ?? []}
              onChange={(source) => onSource(index, source)}
              onFocus={onFocus}
            />
          ))}
        </ul>
      ) : null}
      {children}
    </section>
  )
}

/** The variables of a DLT template, whose values operators measure. */
export function smsRows({ variables }: Pick<SmsTemplate, 'variables'>): RowVariable[] {
  return variables.map(({ name, kind, sample }, index) => ({
    id: `sms-${index}`,
    name,
    focus: name,
    caption: `${kindLabels[kind]}, at most ${longestValue[kind]}`,
    sample,
    limit: longestValue[kind],
    check: (value) => checkVariable(kind, value),
  }))
}

/** All sources with one of them changed; those that were never set are empty. */
export function withSource(
  sources: readonly VariableSource[],
  { index, source, count }: { index: number; source: VariableSource; count: number },
): VariableSource[] {
  return Array.from({ length: count }, (_, place) => (place === index ? source : (sources[place] ?? { fallback: '' })))
}
