import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { IconButton } from './button.tsx'
import { Slider } from './slider.tsx'

export type ScrubberJump = { label: string; count?: number; pressed: boolean; onJump: () => void }

type RecipientScrubberProps = {
  /** Who it is: a name from the file, else the number. */
  name: string
  /** Parts and price of this one. */
  caption: ReactNode
  /** Counted from 0. */
  seq: number
  total: number
  onSeqChange: (seq: number) => void
  /** Rows that cost more than the others. */
  ticks: readonly number[]
  jumps: readonly ScrubberJump[]
}

/** Walks through real recipients: one by one, by the slider, or straight to those worth looking at. */
export function RecipientScrubber({ name, caption, seq, total, onSeqChange, ticks, jumps }: RecipientScrubberProps) {
  const last = Math.max(0, total - 1)
  const move = (by: number) => onSeqChange(Math.min(last, Math.max(0, seq + by)))
  return (
    <div
      className="w-full"
      role="group"
      aria-label="Recipient in the preview"
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement) return
        if (event.key === 'ArrowLeft') move(-1)
        if (event.key === 'ArrowRight') move(1)
      }}
    >
      <div className="flex h-10 items-center gap-1">
        <IconButton label="Previous recipient" size="sm" disabled={seq <= 0} onClick={() => move(-1)}>
          <ChevronLeft />
        </IconButton>
        <div className="min-w-0 flex-1 text-center" aria-live="polite">
          <b className="block truncate leading-4.5">{name}</b>
          <small className="block truncate text-caption text-muted-foreground tabular-nums">
            Row {formatCount(seq + 1)} of {formatCount(total)}
            {caption ? <> · {caption}</> : null}
          </small>
        </div>
        <IconButton label="Next recipient" size="sm" disabled={seq >= last} onClick={() => move(1)}>
          <ChevronRight />
        </IconButton>
      </div>
      <Slider
        className="mx-1.5 my-0.5 w-auto!"
        label="Recipient"
        valueText={`Row ${formatCount(seq + 1)}, ${name}`}
        minimum={0}
        maximum={last}
        value={Math.min(seq, last)}
        onValueChange={onSeqChange}
      >
        {thin(ticks, last).map((share) => (
          <i
            key={share}
            aria-hidden
            className="absolute h-2 w-0.5 -translate-x-1/2 rounded-[1px] bg-warning"
            style={{ left: `calc(6px + (100% - 12px) * ${share})` }}
          />
        ))}
      </Slider>
      <div className="mb-3 flex flex-wrap justify-center gap-0.5">
        {jumps.map((jump) => (
          <button
            key={jump.label}
            type="button"
            aria-pressed={jump.pressed}
            disabled={jump.count === 0}
            onClick={jump.onJump}
            className="inline-flex h-6.5 items-center gap-1.25 rounded-sm px-2 text-caption font-medium whitespace-nowrap text-muted-foreground hover:bg-accent disabled:hover:bg-transparent aria-pressed:bg-brand-muted aria-pressed:text-brand-text pointer-coarse:h-9"
          >
            {jump.label}
            {jump.count === undefined ? null : (
              <span className="font-normal tabular-nums">{formatCount(jump.count)}</span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}

/** Places along the track; two closer than a hair are one. */
function thin(ticks: readonly number[], last: number): number[] {
  if (last === 0) return []
  return [...new Set(ticks.map((seq) => Math.round((seq / last) * 140) / 140))]
}
