import { Module } from '@carillon/contract/roles'
import { Checkbox } from '../../ui/checkbox.tsx'
import { moduleLabels } from './user-labels.ts'

type ModuleChoiceProps = {
  modules: readonly Module[]
  onChange: (modules: Module[]) => void
  mayGrant?: readonly Module[] | undefined
}

/** Modules an account may use; users can grant only their own. */
export function ModuleChoice({ modules, onChange, mayGrant = Module.options }: ModuleChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 font-medium">Modules</legend>
      {Module.options.map((module) => (
        <Checkbox
          key={module}
          label={moduleLabels[module].label}
          help={mayGrant.includes(module) ? moduleLabels[module].effect : 'Not enabled for your account'}
          disabled={!mayGrant.includes(module)}
          checked={modules.includes(module)}
          onChange={({ target }) =>
            onChange(target.checked ? [...modules, module] : modules.filter((other) => other !== module))
          }
        />
      ))}
    </fieldset>
  )
}
