import { checkVariable, longestValue } from '@carillon/contract/channels/sms/sms-variables'
import clsx from 'clsx'
import { kindLabels } from '../insert-variable.tsx'
import type { TemplateDraft } from '../template-rules.ts'
import { Input } from '../../../ui/input.tsx'

type Variables = TemplateDraft['variables']

type VariablesTableProps = {
  variables: Variables
  onChange: (variables: Variables) => void
  /** The variable whose field has the focus, outlined on the phone. */
  onFocus: (name: string | undefined) => void
}

/** Each variable of the text with its name, kind and sample value. */
export function VariablesTable({ variables, onChange, onFocus }: VariablesTableProps) {
  const change = (index: number, patch: Partial<Variables[number]>) =>
    onChange(variables.map((variable, place) => (place === index ? { ...variable, ...patch } : variable)))

  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-y border-border tabular-nums">
        <thead className="text-left text-caption text-muted-foreground">
          <tr className="h-8 border-b border-border [&>th]:pr-3 [&>th]:font-medium">
            <th scope="col" className="w-8">
              #
            </th>
            <th scope="col" className="w-[26%]">
              Name
            </th>
            <th scope="col" className="w-[24%] max-md:hidden">
              Kind
            </th>
            <th scope="col">Sample</th>
            <th scope="col" className="w-18 pr-0! text-right">
              Length
            </th>
          </tr>
        </thead>
        <tbody>
          {variables.map(({ name, kind, sample }, index) => {
            const problem = sample === '' ? undefined : checkVariable(kind, sample)
            return (
              <tr key={index} className="h-10 border-b border-line last:border-0 max-md:h-13 [&>td]:pr-3">
                <td className="text-muted-foreground">{index + 1}</td>
                <td>
                  <Input
                    size="sm"
                    aria-label={`Name of variable ${index + 1}`}
                    value={name}
                    maxLength={40}
                    className="h-7! pointer-coarse:h-11!"
                    onFocus={() => onFocus(name)}
                    onBlur={() => onFocus(undefined)}
                    onChange={(event) => change(index, { name: event.target.value })}
                  />
                </td>
                <td className="text-dense text-muted-foreground max-md:hidden">{kindLabels[kind]}</td>
                <td>
                  <Input
                    size="sm"
                    id={`sample-${index}`}
                    aria-label={`Sample of ${name}`}
                    value={sample}
                    maxLength={160}
                    invalid={problem !== undefined}
                    title={problem}
                    className="h-7! pointer-coarse:h-11!"
                    onFocus={() => onFocus(name)}
                    onBlur={() => onFocus(undefined)}
                    onChange={(event) => change(index, { sample: event.target.value })}
                  />
                  {problem ? <span className="sr-only">{problem}</span> : null}
                </td>
                <td className={clsx('pr-0! text-right', problem && 'text-danger-text')}>
                  {sample.length}/{longestValue[kind]}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
