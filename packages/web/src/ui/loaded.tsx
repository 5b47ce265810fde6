import type { ReactNode } from 'react'
import { useShown } from '../lib/shown-since.ts'

type LoadedProps = {
  /** When they were read. */
  at: number | undefined
  /** The last refresh failed. */
  isStale?: boolean | undefined
  children: ReactNode
}

/** Rows or figures as last read, dimmed while they cannot be refreshed. */
export function Loaded({ at, isStale, children }: LoadedProps) {
  useShown(at)
  return (
    <div data-loaded={isStale ? 'stale' : ''} className="contents">
      {children}
    </div>
  )
}
