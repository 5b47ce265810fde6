import clsx from 'clsx'
import { Minus, Plus } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { readChange } from './transfers.ts'

const step = 500

type ChangeInputProps = { name: string; change: number; onChange: (change: number) => void }

/** Change in rupees. ↑ ↓ move between rows; with Shift they add and subtract 500. */
export function ChangeInput({ name, change, onChange }: ChangeInputProps) {
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? (change === 0 ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString('en-IN')}`)
  const isWrong = typed !== undefined && readChange(typed) === undefined

  function stepBy(direction: 1 | -1) {
    setTyped(undefined)
    onChange(change + direction * step)
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
    if (!direction) return
    event.preventDefault()
    if (event.shiftKey) stepBy(direction)
    else neighbourOf(event.currentTarget, -direction)?.focus()
  }
  const button =
    'grid h-full w-7 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground max-md:w-11'
  return (
    <span
      className={clsx(
        'inline-flex h-8 w-38 items-center rounded-md border bg-card focus-within:border-ring focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-ring max-md:h-11 max-md:w-46 pointer-coarse:h-11',
        isWrong ? 'border-destructive' : 'border-input',
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Subtract 500 for ${name}`}
        className={button}
        onClick={() => stepBy(-1)}
      >
        <Minus aria-hidden className="size-3.5" />
      </button>
      <input
        data-change
        aria-label={`Change of ${name}, in rupees`}
        aria-invalid={isWrong}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value)
          const read = readChange(target.value)
          if (read !== undefined) onChange(read)
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
        className={clsx(
          'h-full w-0 min-w-0 flex-1 bg-transparent px-1.5 text-right tabular-nums outline-none! placeholder:text-muted-foreground max-md:text-base',
          change > 0 && 'font-medium text-success-text',
          change < 0 && 'font-medium',
        )}
      />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Add 500 for ${name}`}
        className={button}
        onClick={() => stepBy(1)}
      >
        <Plus aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

/** The field of the row above or below. */
function neighbourOf(field: HTMLInputElement, by: number): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[data-change]')]
  return fields[fields.indexOf(field) + by]
}
