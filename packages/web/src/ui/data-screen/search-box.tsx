import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { Input } from '../input.tsx'
import { Kbd } from '../kbd.tsx'

export type SearchState = { label: string; value: string; onValueChange: (value: string) => void }

const pauseMs = 250

/** Calls back once typing pauses. */
export function SearchBox({ label, value, onValueChange }: SearchState) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  useHotkeys({ Slash: () => box.current?.focus() })

  // The URL may change from outside: back navigation, or 'Clear filters'.
  if (known !== value) {
    setKnown(value)
    setTyped(value)
  }

  const tell = useRef(onValueChange)
  useEffect(() => {
    tell.current = onValueChange
  })
  useEffect(() => {
    if (typed === value) return undefined
    const timer = setTimeout(() => {
      setKnown(typed)
      tell.current(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value])

  return (
    <span className="w-64 min-w-0 max-md:flex-1">
      <Input
        ref={box}
        type="search"
        size="sm"
        aria-label={label}
        placeholder={label}
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') {
            event.stopPropagation()
            setTyped('')
          }
        }}
        leading={<Search aria-hidden />}
        trailing={
          typed === '' ? (
            <Kbd name="/" className="max-md:hidden" />
          ) : (
            <button
              type="button"
              aria-label="Clear the search"
              onClick={() => setTyped('')}
              className="grid size-6 place-items-center text-muted-foreground"
            >
              <X aria-hidden className="size-4" />
            </button>
          )
        }
      />
    </span>
  )
}
