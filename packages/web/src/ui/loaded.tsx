import type { ReactNode } from 'react'
import { useShown } from '../lib/shown-since.ts'

type LoadedProps = {
  /** When they were read. */
  at: number | undefined
  /** The last try to read them anew failed. */
  isStale?: boolean | undefined
  children: ReactNode
}

/** Rows or figures as they were read: dimmed while they cannot be read anew. */
export function Loaded({ at, isStale, children }: LoadedProps) {
  useShown(at)
  return (
    <div data-loaded={isStale ? 'stale' : ''} className="contents">
      {children}
    </div>
  )
}
