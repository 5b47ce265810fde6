import type { ReactNode } from 'react'
import { useShown } from '../lib/shown-since.ts'

type LoadedProps = {
  /** Load time. */
  at: number | undefined
  /** The last refresh failed. */
  isStale?: boolean | undefined
  children: ReactNode
}

/** Data as last loaded, dimmed while it cannot be refreshed. */
export function Loaded({ at, isStale, children }: LoadedProps) {
  useShown(at)
  return (
    <div data-loaded={isStale ? 'stale' : ''} className="contents">
      {children}
    </div>
  )
}
