import clsx from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFieldControl } from './field.tsx'

export type SelectOption<Value extends string = string> = {
  value: Value
  label: string
  disabled?: boolean
  /** A heading above it and the options of the same group that follow. */
  group?: string
}

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'size' | 'value' | 'onChange'> & {
  options: readonly SelectOption<Value>[]
  value?: Value | ''
  onValueChange?: (value: Value) => void
  onChange?: ComponentProps<'select'>['onChange']
  placeholder?: string
  size?: 'sm' | 'tool' | 'md'
  invalid?: boolean
}

const heights = { tool: 'h-7 pl-2 text-dense', sm: 'h-8 pl-2 text-dense', md: 'h-9 pl-2.5' } as const

/** The native select: the platform's picker on phones, styled where supported. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, onValueChange, onChange, placeholder, size = 'md', invalid, className, id, ...rest } = props
  const control = useFieldControl({ id, invalid })
  return (
    <span className={clsx('relative flex min-w-0 items-center', className)}>
      <select
        {...control}
        {...rest}
        {...(value === undefined ? {} : { value })}
        onChange={(event) => {
          onChange?.(event)
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen) onValueChange?.(chosen.value)
        }}
        className={clsx(
          'select-field w-full cursor-pointer truncate rounded-md border border-input bg-card pr-8 text-foreground max-md:h-11 max-md:text-base',
          'focus-visible:border-ring focus-visible:-outline-offset-1 aria-[invalid=true]:border-destructive disabled:opacity-60',
          value === '' && 'text-muted-foreground!',
          heights[size],
        )}
      >
        {placeholder === undefined ? null : (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {groupsOf(options).map(({ group, members }) =>
          group === undefined ? (
            members.map(optionOf)
          ) : (
            <optgroup key={group} label={group}>
              {members.map(optionOf)}
            </optgroup>
          ),
        )}
      </select>
      <ChevronsUpDown aria-hidden className="pointer-events-none absolute right-2 size-4 text-muted-foreground" />
    </span>
  )
}

function optionOf({ value, label, disabled }: SelectOption) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  )
}

function groupsOf(options: readonly SelectOption[]): { group: string | undefined; members: SelectOption[] }[] {
  const groups: { group: string | undefined; members: SelectOption[] }[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last && last.group === option.group) last.members.push(option)
    else groups.push({ group: option.group, members: [option] })
  }
  return groups
}
