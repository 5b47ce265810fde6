import { ChevronDown, Search, Users } from 'lucide-react'
import { useState } from 'react'
import { countOf } from '../lib/format.ts'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

export type Choice = { id: string; name: string; detail: string }

type AccountsChoiceProps = {
  /** The noun for the choices: 'accounts', 'people'. */
  noun: string
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
  /** Undefined while loading. */
  choices: readonly Choice[] | undefined
  /** Called with the typed text; absent: the choices are complete. */
  onSearch?: (text: string) => void
  most?: number
  /** Shown while nothing is chosen. */
  nothing: string
  primary?: boolean
}

/** Multiple choice of accounts with search. */
export function AccountsChoice(props: AccountsChoiceProps) {
  const { noun, chosen, onChange, choices, onSearch, most = 50, nothing, primary } = props
  const [typed, setTyped] = useState('')
  const shown = choices?.filter(({ name, detail }) => onSearch || matches(`${name} ${detail}`, typed))
  const isFull = chosen.length >= most
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])

  return (
    <Popover
      label={`Choose ${noun}`}
      className="flex max-h-100 w-80 flex-col p-2"
      trigger={
        <Button size="sm" variant={primary ? 'primary' : 'outline'}>
          <Users aria-hidden />
          {chosen.length === 0 ? nothing : `${countOf(chosen.length, noun, noun)} chosen`}
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <Input
        type="search"
        size="sm"
        aria-label={`Search ${noun}`}
        placeholder={`Search ${noun}`}
        maxLength={80}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          onSearch?.(event.target.value)
        }}
        leading={<Search aria-hidden />}
      />
      <ul className="my-2 min-h-20 flex-1 overflow-y-auto" aria-busy={!shown}>
        {shown?.map(({ id, name, detail }) => (
          <li key={id} className="rounded-sm px-2 py-1.5 hover:bg-accent">
            <Checkbox
              label={name}
              help={detail}
              checked={chosen.includes(id)}
              disabled={isFull && !chosen.includes(id)}
              onChange={() => toggle(id)}
            />
          </li>
        ))}
        {shown?.length === 0 ? <li className="px-2 py-4 text-center text-muted-foreground">No match</li> : null}
      </ul>
      <div className="flex items-center justify-between border-t border-line pt-2">
        <Button size="tool" variant="ghost" disabled={chosen.length === 0} onClick={() => onChange([])}>
          Clear
        </Button>
        {isFull ? <span className="text-caption text-muted-foreground">At most {most} at once</span> : null}
        <Button
          size="tool"
          variant="ghost"
          disabled={!shown || shown.length === 0}
          onClick={() => onChange([...new Set([...chosen, ...(shown ?? []).map(({ id }) => id)])].slice(0, most))}
        >
          Choose all shown
        </Button>
      </div>
    </Popover>
  )
}

function matches(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.trim().toLowerCase())
}
