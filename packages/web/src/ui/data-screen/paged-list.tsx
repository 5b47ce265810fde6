import type { ReactNode } from 'react'
import { Pager } from './pager.tsx'

type PagedListProps = {
  label: string
  paging: { page: number; pageSize: number; onPage: (page: number) => void; total: number; totalPages: number }
  /** Negative margins for a pager inside a padded container. */
  pagerClass?: string
  children: readonly ReactNode[]
}

/** Simple rows with a pager, for lists that need no table. */
export function PagedList({ label, paging, pagerClass, children }: PagedListProps) {
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {children}
      </ul>
      <div className={pagerClass}>
        <Pager {...paging} rowsHere={children.length} />
      </div>
    </>
  )
}
