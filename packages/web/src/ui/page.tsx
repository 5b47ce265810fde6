import { useEffect, type ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { nameTab } from '../lib/title.ts'

type PageProps = {
  title: string
  /** Before the title: the way back to the list. */
  lead?: ReactNode
  /** Count next to the title. */
  count?: number | undefined
  /** Secondary actions first, the primary one last. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: heading with actions, then content. Sets the tab title. */
export function Page({ title, lead, count, actions, children }: PageProps) {
  useEffect(() => {
    nameTab(title)
  }, [title])
  return (
    <>
      <div className="screen-x flex min-h-17 flex-wrap items-center gap-2 py-4">
        {lead}
        <h1 tabIndex={-1} className="min-w-0 flex-1 text-title font-semibold outline-none max-md:flex-auto md:truncate">
          {title}
          {count === undefined ? null : (
            <span className="ml-2 text-body font-normal text-muted-foreground tabular-nums">{formatCount(count)}</span>
          )}
        </h1>
        {actions ? <div className="page-actions flex items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </>
  )
}
