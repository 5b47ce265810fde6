import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'

export type Bar = {
  id: string
  label: ReactNode
  value: number
  detail?: ReactNode
  /** Formatted value; default: a count. */ shown?: string
}

/** Amounts for comparison, largest first; rows may be pressable as filters. */
export function BarList({ bars, onBar }: { bars: readonly Bar[]; onBar?: (id: string) => void }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul className="flex flex-col gap-1">
      {[...bars]
        .sort((a, b) => b.value - a.value)
        .map(({ id, label, value, detail, shown }) => {
          const inside = (
            <>
              <span
                aria-hidden
                className="absolute inset-y-0 left-0 rounded-sm bg-brand-muted"
                style={{ width: `${(value / most) * 100}%` }}
              />
              <span className="relative min-w-0 flex-1 truncate">{label}</span>
              {detail ? <span className="relative text-dense text-muted-foreground">{detail}</span> : null}
              <b className="relative tabular-nums">{shown ?? formatCount(value)}</b>
            </>
          )
          const line = 'relative flex min-h-8 w-full items-center gap-3 rounded-sm px-2 text-left'
          return (
            <li key={id}>
              {onBar ? (
                <button type="button" onClick={() => onBar(id)} className={`${line} hover:bg-accent`}>
                  {inside}
                </button>
              ) : (
                <div className={line}>{inside}</div>
              )}
            </li>
          )
        })}
    </ul>
  )
}
