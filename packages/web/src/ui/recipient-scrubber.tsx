import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { countOf, formatCount, formatUnitPrice } from '../lib/format.ts'
import { IconButton } from './button.tsx'
import { Slider } from './slider.tsx'

export type Jump = {
  id: string
  label: string
  /** Number of such rows; may exceed `rows`. */
  count?: number
  /** The rows to step through, by index. */
  rows: readonly number[]
}

type RecipientScrubberProps = {
  /** Name of the shown recipient, else the number. */
  name: string
  /** Index of the shown recipient. */
  row: number
  total: number
  onRow: (row: number) => void
  parts?: number | undefined
  cost?: number | null | undefined
  /** Rows that need more than one part. */
  costlyRows?: readonly number[]
  jumps?: readonly Jump[]
}

/** Steps through recipients: arrows, a slider, and jumps to notable rows. */
export function RecipientScrubber(props: RecipientScrubberProps) {
  const { name, row, total, onRow, parts, cost, costlyRows = [], jumps = [] } = props
  const last = Math.max(0, total - 1)
  const go = (next: number) => onRow(Math.min(last, Math.max(0, next)))

  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLInputElement) return
    if (event.key === 'ArrowLeft') go(row - 1)
    if (event.key === 'ArrowRight') go(row + 1)
  }

  return (
    <div role="group" aria-label="Recipient" className="mb-3 w-full" onKeyDown={onKeyDown}>
      <div className="flex h-10 items-center gap-1">
        <IconButton
          label="Previous recipient"
          keys={['←']}
          size="sm"
          aria-disabled={row <= 0}
          onClick={() => go(row - 1)}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <div className="min-w-0 flex-1 text-center" aria-live="polite">
          <b className="block truncate leading-4.5">{name}</b>
          <small className="block text-caption whitespace-nowrap text-muted-foreground tabular-nums">
            {describe({ row, total, parts, cost })}
          </small>
        </div>
        <IconButton
          label="Next recipient"
          keys={['→']}
          size="sm"
          aria-disabled={row >= last}
          onClick={() => go(row + 1)}
        >
          <ChevronRight aria-hidden />
        </IconButton>
      </div>
      {total > 1 ? (
        <Slider
          label="Recipient"
          value={row}
          minimum={0}
          maximum={last}
          onValueChange={go}
          valueText={`${name}, row ${row + 1} of ${total}`}
          className="my-0.5"
        >
          {spread(costlyRows, last).map((place) => (
            <span
              key={place}
              aria-hidden
              className="absolute top-1.5 h-2 w-0.5 -translate-x-1/2 rounded-full bg-warning"
              style={{ left: `calc(6px + (100% - 12px) * ${place / Math.max(1, last)})` }}
            />
          ))}
        </Slider>
      ) : null}
      <div className="flex flex-wrap justify-center gap-0.5">
        {jumps.map((jump) => (
          <JumpButton key={jump.id} jump={jump} row={row} onRow={go} />
        ))}
      </div>
    </div>
  )
}

/** Merges ticks closer than a pixel. */
function spread(rows: readonly number[], last: number): number[] {
  const slots = new Map(rows.map((row) => [Math.round((row / Math.max(1, last)) * 100), row]))
  return [...slots.values()]
}

function JumpButton({ jump, row, onRow }: { jump: Jump; row: number; onRow: (row: number) => void }) {
  const { rows, label, count } = jump
  // Another press goes to the next row of the same kind, cyclically.
  const next = rows.find((place) => place > row) ?? rows[0]
  return (
    <button
      type="button"
      disabled={next === undefined}
      aria-pressed={rows.includes(row)}
      onClick={() => next !== undefined && onRow(next)}
      className="inline-flex h-6.5 items-center gap-1 rounded-sm px-1.5 text-caption font-medium whitespace-nowrap text-muted-foreground hover:bg-accent disabled:opacity-60 disabled:hover:bg-transparent aria-pressed:bg-brand-muted aria-pressed:text-brand-text"
    >
      {label}
      {count === undefined ? null : <span className="font-normal tabular-nums">{formatCount(count)}</span>}
    </button>
  )
}

type Shown = Pick<RecipientScrubberProps, 'row' | 'total' | 'parts' | 'cost'>

function describe({ row, total, parts, cost }: Shown): string {
  const words = [`Row ${formatCount(row + 1)} of ${formatCount(total)}`]
  if (parts !== undefined) words.push(countOf(parts, 'part'))
  if (typeof cost === 'number') words.push(formatUnitPrice(cost))
  return words.join(' · ')
}
