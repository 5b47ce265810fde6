import { useEffect, type ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'
import { nameTab } from '../lib/title.ts'

type PageProps = {
  title: string
  /** How many there are, beside the title. */
  count?: number | undefined
  /** The quiet actions first, the one primary last. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its one heading with the actions of the whole, then what it shows. Names the browser's tab. */
export function Page({ title, count, actions, children }: PageProps) {
  useEffect(() => {
    nameTab(title)
  }, [title])
  return (
    <>
      <div className="screen-x flex min-h-17 flex-wrap items-center gap-2 py-4">
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
