import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { readableLibraries } from '../../channels/libraries.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { Choices } from '../../ui/choices.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { fieldProps, textsOf, type ControlProps } from './config-field-props.ts'
import { withUnknown, type Named } from './unknown-ids.ts'

/** Templates of each channel that are offered at a time. */
const most = 50

/** The templates of every channel that match a search. */
function useTemplates(search: string) {
  const isIncluded = useIncluded('template')
  const libraries = readableLibraries()
  const reads = useApiReads(
    libraries.map(({ templates }) => templates.find(search, most)),
    { keepPrevious: true, enabled: isIncluded === true },
  )
  const found: Named[] = reads.flatMap(({ data }, index) => {
    const channel = libraries[index]?.channel
    const detail = channel ? channelLabel(channel) : ''
    return data?.map(({ _id, name }) => ({ id: _id, name, detail })) ?? []
  })
  const isPending = isIncluded === true && reads.some((read) => read.isPending)
  return { found, isPending, failed: reads.find(({ error }) => error)?.error?.message }
}

export function TemplateField({ field, value, errors, onChange }: ControlProps<'template'>) {
  const { found } = useTemplates('')
  const chosen = typeof value === 'string' ? value : ''
  return (
    <Field {...fieldProps({ field, errors })}>
      <Select
        value={chosen || 'none'}
        options={[
          { value: 'none', label: 'None' },
          ...withUnknown(found, chosen ? [chosen] : []).map(({ id, name, detail }) => ({
            value: id,
            label: detail ? `${name} · ${detail}` : name,
          })),
        ]}
        onValueChange={(id) => onChange(id === 'none' ? undefined : id)}
      />
    </Field>
  )
}

export function TemplatesField({ field, value, errors, onChange }: ControlProps<'templates'>) {
  const [typed, setTyped] = useState('')
  const { found, isPending, failed } = useTemplates(useDeferredValue(typed.trim()))
  const all = useTemplates('').found
  const chosen = textsOf(value)
  // Chosen templates stay in view while others are searched.
  const kept = withUnknown(all, chosen).filter(({ id }) => chosen.includes(id) && !found.some((one) => one.id === id))
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Choices
        {...fieldProps({ field, errors }, chosen)}
        none="No templates found."
        options={isPending ? undefined : [...kept, ...found]}
        failed={failed}
        chosen={chosen}
        onChange={onChange}
      />
      <Input
        size="sm"
        type="search"
        aria-label="Search templates"
        placeholder="Search templates"
        leading={<Search aria-hidden />}
        maxLength={80}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}
