import type { ReactNode } from 'react'
import { formatDateTime, formatRelative, missing } from '../lib/format.ts'

/** A missing value: a dash with an explanation. */
export function Missing({ why = 'not available' }: { why?: string }) {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden>{missing}</span>
      <span className="sr-only">{why}</span>
    </span>
  )
}

/** Relative within a week, with the full date as tooltip. */
export function When({ at }: { at: string | null | undefined }) {
  if (!at) return <Missing />
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at)}
    </time>
  )
}

export function Mono({ children }: { children: ReactNode }) {
  return <span className="font-mono text-dense tracking-normal">{children}</span>
}
