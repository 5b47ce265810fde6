import { apiScopeLabels, type ApiScope } from '@carillon/contract/api-scopes'
import { useId } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldMessage } from '../../ui/field.tsx'
import { scopeGroups } from './scopes.ts'

type ScopeChoiceProps = {
  chosen: readonly ApiScope[]
  usable: ReadonlySet<ApiScope>
  error: string | undefined
  onChange: (scopes: ApiScope[]) => void
}

/** What a key may do, by resource. Scopes that the account cannot use are disabled, except to remove them. */
export function ScopeChoice({ chosen, usable, error, onChange }: ScopeChoiceProps) {
  const errorId = useId()
  const toggle = (scope: ApiScope) =>
    onChange(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">Scopes</legend>
      <p className="text-caption text-muted-foreground">
        What programs with this key may do, within what your account may do. Choose only what they need.
      </p>
      {error ? <FieldMessage id={errorId} text={error} /> : null}
      <div className="divide-y divide-line rounded-lg border border-border">
        {scopeGroups.map(({ label, scopes }) => (
          <fieldset key={label} className="grid gap-x-4 gap-y-2 px-3 py-2.5 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <legend className="contents">
              <span className="text-dense font-medium max-sm:pb-1">{label}</span>
            </legend>
            <div className="flex min-w-0 flex-col gap-2">
              {scopes.map((scope) => {
                const isUsable = usable.has(scope)
                return (
                  <Checkbox
                    key={scope}
                    label={apiScopeLabels[scope]}
                    help={isUsable ? <code>{scope}</code> : `Your role and modules do not allow ${scope}`}
                    disabled={!isUsable && !chosen.includes(scope)}
                    aria-invalid={error ? true : undefined}
                    checked={chosen.includes(scope)}
                    onChange={() => toggle(scope)}
                  />
                )
              })}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}
