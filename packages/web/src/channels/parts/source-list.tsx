import type { Audience } from '@carillon/contract/audience'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { useId } from 'react'
import { countOf } from '../../lib/format.ts'
import { VariableRow, type RowVariable } from './variable-row.tsx'

type SourceListProps = {
  title: string
  audience: Audience
  variables: readonly RowVariable[]
  sources: readonly (VariableSource | undefined)[]
  onSource: (index: number, source: VariableSource) => void
  onFocus: (variable: string | undefined) => void
}

/** Variables, each with its column or value. */
export function SourceList(props: SourceListProps) {
  const id = useId()
  const { title, audience, variables, sources, onSource, onFocus } = props
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex min-h-8 flex-wrap items-baseline gap-x-2 max-md:mb-2">
        <h2 id={id} className="text-section font-semibold">
          {title}
        </h2>
        <p className="text-dense text-muted-foreground">
          {countOf(variables.length, 'variable')}, each from a column or the same for everyone
        </p>
      </div>
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
    </section>
  )
}
