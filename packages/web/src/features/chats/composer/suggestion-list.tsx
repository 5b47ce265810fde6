import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

type SuggestionListProps<Item> = {
  id: string
  label: string
  items: readonly Item[]
  active: number
  keyOf: (item: Item) => string
  onPick: (item: Item) => void
  onActive: (index: number) => void
  empty: ReactNode
  children: (item: Item) => ReactNode
}

/** Suggestions above a text area, which keeps the focus. */
export function SuggestionList<Item>(props: SuggestionListProps<Item>) {
  const { id, label, items, active, keyOf, onPick, onActive, empty, children } = props
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div className="absolute right-0 bottom-full left-0 z-20 mb-1 overflow-hidden rounded-lg bg-popover text-popover-foreground shadow-2">
      {items.length === 0 ? (
        <p className="p-3 text-dense text-muted-foreground">{empty}</p>
      ) : (
        <ul ref={list} id={id} role="listbox" aria-label={label} className="max-h-60 overflow-y-auto p-1">
          {items.map((item, index) => (
            <li
              key={keyOf(item)}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(item)}
              onPointerMove={() => index !== active && onActive(index)}
              className="flex min-h-9 cursor-default items-center gap-2 rounded-sm px-2 py-1 aria-selected:bg-accent pointer-coarse:min-h-11"
            >
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The arrow keys, Enter, Tab and Escape while suggestions are open. Returns true if it used the key. */
export function useSuggestionKeys<Item>(items: readonly Item[], onPick: (item: Item) => void, onClose: () => void) {
  const [chosen, setActive] = useState(0)
  const active = Math.min(chosen, Math.max(0, items.length - 1))
  function onKey(event: KeyboardEvent): boolean {
    const item = items[active]
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowDown' && items.length > 0) setActive((active + 1) % items.length)
    else if (event.key === 'ArrowUp' && items.length > 0) setActive((active - 1 + items.length) % items.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && item && !event.shiftKey) onPick(item)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { active, setActive, onKey }
}
