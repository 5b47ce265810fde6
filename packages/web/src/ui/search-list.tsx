import clsx from 'clsx'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useFieldControl } from './field.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

type Option = { value: string; label: string; detail?: ReactNode }

type SearchSelectProps = {
  /** Accessible name of the panel. */
  label: string
  /** The chosen option. */
  shown: ReactNode
  shownDetail?: ReactNode
  /** The list, which closes the panel with its choice. */
  children: (close: () => void) => ReactNode
}

/** A choice in a field that opens a list with a search. */
export function SearchSelect({ label, shown, shownDetail, children }: SearchSelectProps) {
  const [isOpen, setOpen] = useState(false)
  const control = useFieldControl()
  return (
    <Popover
      label={label}
      open={isOpen}
      onOpenChange={setOpen}
      className="flex w-(--radix-popover-trigger-width) min-w-72 flex-col p-2 max-md:w-[calc(100vw-2rem)]"
      trigger={
        <button
          {...control}
          type="button"
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          className="flex h-9 w-full min-w-0 cursor-pointer items-center gap-2 rounded-md border border-input bg-card px-2.5 text-left focus-visible:border-ring focus-visible:-outline-offset-1 aria-invalid:border-destructive max-md:h-11 max-md:text-base"
        >
          <span className="min-w-0 flex-1 truncate">{shown}</span>
          {shownDetail ? (
            <span className="shrink-0 text-dense text-muted-foreground tabular-nums">{shownDetail}</span>
          ) : null}
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        </button>
      }
    >
      {children(() => setOpen(false))}
    </Popover>
  )
}

type SearchListProps = {
  /** Accessible name of the list, and of its search with 'Search'. */
  label: string
  placeholder: string
  typed: string
  onTyped: (typed: string) => void
  options: readonly Option[]
  value: string
  onChoose: (value: string) => void
  /** Shown if no option matches, such as 'No time zone matches'. */
  none: ReactNode
  foot?: ReactNode
}

/** Options with a search that stays focused: arrow keys move, Enter chooses. */
export function SearchList(props: SearchListProps) {
  const { label, placeholder, typed, onTyped, options, value, onChoose, none, foot } = props
  const [active, setActive] = useState(0)
  const id = useId()
  const optionId = (index: number) => `${id}-${index}`

  function go(index: number) {
    const next = Math.max(0, Math.min(options.length - 1, index))
    setActive(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }

  function press(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 6,
      PageUp: active - 6,
    }
    const next = moves[event.key]
    if (next !== undefined) go(next)
    else if (event.key === 'Enter') {
      const choice = options[active]
      if (choice) onChoose(choice.value)
    } else return
    // Enter would also submit the form.
    event.preventDefault()
  }

  return (
    <>
      <Input
        type="text"
        role="combobox"
        aria-label={`Search ${label.toLowerCase()}`}
        aria-expanded={options.length > 0}
        aria-controls={options.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={options.length > 0 ? optionId(active) : undefined}
        autoComplete="off"
        placeholder={placeholder}
        maxLength={60}
        value={typed}
        onChange={({ target }) => {
          onTyped(target.value)
          setActive(0)
        }}
        onKeyDown={press}
        leading={<Search aria-hidden />}
      />
      {options.length === 0 ? (
        <p role="status" className="px-2 py-6 text-center text-muted-foreground">
          {none}
        </p>
      ) : (
        <ul id={`${id}-list`} role="listbox" aria-label={label} className="mt-2 max-h-72 overflow-y-auto">
          {options.map((option, index) => (
            <Line
              key={option.value}
              id={optionId(index)}
              option={option}
              isActive={index === active}
              isChosen={option.value === value}
              onPoint={() => setActive(index)}
              onChoose={() => onChoose(option.value)}
            />
          ))}
        </ul>
      )}
      {foot ? <p className="border-t border-line px-2 pt-2 text-caption text-muted-foreground">{foot}</p> : null}
    </>
  )
}

type LineProps = {
  id: string
  option: Option
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

function Line({ id, option: { label, detail }, isActive, isChosen, onPoint, onChoose }: LineProps) {
  return (
    // Keys are taken by the search above, which stays focused.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      className={clsx(
        'flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 max-md:min-h-11',
        isActive && 'bg-accent',
      )}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <Check aria-hidden className={clsx('size-4 shrink-0', !isChosen && 'invisible')} />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {detail ? <span className="shrink-0 text-dense text-muted-foreground tabular-nums">{detail}</span> : null}
    </li>
  )
}
