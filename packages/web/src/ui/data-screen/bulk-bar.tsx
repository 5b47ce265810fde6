import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../button.tsx'

type BulkBarProps = { count: number; onClear: () => void; children: ReactNode }

/** Actions for the selected rows. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  if (count === 0) return null
  return (
    <section
      aria-label="Selected rows"
      className="fixed bottom-6 left-1/2 z-30 flex h-11 -translate-x-1/2 animate-fade-in items-center gap-1 rounded-lg bg-primary pr-1.5 pl-3.5 whitespace-nowrap text-primary-foreground shadow-3 [&_button]:text-inherit [&_button]:hover:bg-[color-mix(in_oklab,var(--primary-foreground)_14%,transparent)]"
    >
      <span role="status" className="pr-2 tabular-nums">
        {formatCount(count)} selected
      </span>
      <span aria-hidden className="mr-1 h-4 w-px bg-[color-mix(in_oklab,var(--primary-foreground)_25%,transparent)]" />
      {children}
      <Button variant="ghost" size="sm" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
