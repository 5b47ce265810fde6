import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A row that was excluded or rejected by the server, with the reason. */
export type Exception = { name: string; why: string }

export type BulkLabels = {
  /** On the bar: 'Discard'. */
  label: string
  icon: LucideIcon
  /** 'Discard 3 campaigns?' */
  title: (count: number) => string
  effect: ReactNode
  /** 'Discard 3 campaigns' */
  action: (count: number) => string
  /** Absent: the button is red. */
  isHarmless?: boolean
}
