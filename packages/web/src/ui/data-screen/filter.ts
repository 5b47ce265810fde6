import { formatCalendarDays } from '../../lib/format.ts'
import type { DayRange } from '../../lib/url-state.ts'

type Option = { value: string; label: string }

export type Filter =
  | {
      id: string
      label: string
      kind: 'choices'
      options: readonly Option[]
      value: readonly string[]
      onChange: (value: readonly string[]) => void
    }
  | {
      id: string
      label: string
      kind: 'choice'
      options: readonly Option[]
      value: string | undefined
      onChange: (value: string | undefined) => void
    }
  | {
      id: string
      label: string
      /** A search text. */
      kind: 'text'
      value: string | undefined
      onChange: (value: string | undefined) => void
    }
  | {
      id: string
      label: string
      kind: 'range'
      value: DayRange | undefined
      onChange: (value: DayRange | undefined) => void
    }

type Choice = Extract<Filter, { kind: 'choice' }>

/** A filter by one of some options. */
export function choiceFilter(id: string, label: string, rest: Pick<Choice, 'options' | 'value' | 'onChange'>): Filter {
  return { id, label, kind: 'choice', ...rest }
}

export function isActive(filter: Filter): boolean {
  return filter.kind === 'choices' ? filter.value.length > 0 : filter.value !== undefined
}

export function clearFilter(filter: Filter) {
  if (filter.kind === 'choices') filter.onChange([])
  else filter.onChange(undefined)
}

/** The chosen value as text. */
export function wordsOf(filter: Filter): string {
  if (filter.kind === 'range') return filter.value ? formatCalendarDays(filter.value) : ''
  if (filter.kind === 'text') return filter.value ?? ''
  const chosen = filter.kind === 'choices' ? filter.value : filter.value === undefined ? [] : [filter.value]
  return chosen.map((value) => filter.options.find((option) => option.value === value)?.label ?? value).join(', ')
}
