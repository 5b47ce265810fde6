import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../lib/format.ts'
import { IconButton } from '../button.tsx'
import { Select } from '../select.tsx'

export type Paging = {
  page: number
  pageSize: number
  onPage: (page: number) => void
  onPageSize?: (size: number) => void
  /** Unknown for some lists. */
  totalPages?: number | undefined
  total?: number | undefined
  /** Lists with a cursor know only this. */
  hasNext?: boolean | undefined
  /** Its name, if the screen has another list. */
  label?: string
}

const sizes = [10, 25, 50, 100] as const

export function Pager({
  page,
  pageSize,
  onPage,
  onPageSize,
  totalPages,
  total,
  hasNext: known,
  label = 'Pages',
  rowsHere,
}: Paging & { rowsHere: number }) {
  const first = (page - 1) * pageSize + 1
  const hasNext = known ?? (totalPages === undefined ? rowsHere === pageSize : page < totalPages)
  return (
    <nav
      aria-label={label}
      className="flex min-h-13 flex-wrap items-center gap-2 py-2 text-dense text-muted-foreground tabular-nums screen-x"
    >
      <span>
        {rowsHere === 0 ? '0' : `${formatCount(first)}–${formatCount(first + rowsHere - 1)}`}
        {total === undefined ? '' : ` of ${formatCount(total)}`}
      </span>
      <span className="ml-auto flex items-center gap-2">
        {onPageSize ? (
          <Select
            aria-label="Rows on a page"
            size="tool"
            className="w-18 max-md:hidden"
            value={String(pageSize)}
            options={sizes.map((size) => ({ value: String(size), label: String(size) }))}
            onValueChange={(size) => onPageSize(Number(size))}
          />
        ) : null}
        <IconButton label="Previous page" size="tool" aria-disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
        {totalPages === undefined ? (
          <span className="text-foreground">Page {formatCount(page)}</span>
        ) : (
          <Pages page={page} totalPages={totalPages} onPage={onPage} />
        )}
        <IconButton label="Next page" size="tool" aria-disabled={!hasNext} onClick={() => onPage(page + 1)}>
          <ChevronRight aria-hidden />
        </IconButton>
      </span>
    </nav>
  )
}

function Pages({ page, totalPages, onPage }: { page: number; totalPages: number; onPage: (page: number) => void }) {
  return pagesShown(page, totalPages).map((shown, index) =>
    shown === undefined ? (
      <span key={`gap-${index}`} aria-hidden>
        …
      </span>
    ) : (
      <button
        key={shown}
        type="button"
        aria-current={shown === page ? 'page' : undefined}
        aria-label={`Page ${shown}`}
        onClick={() => onPage(shown)}
        className="h-7 min-w-7 rounded-md px-1.5 text-foreground hover:bg-accent aria-[current]:bg-secondary aria-[current]:font-medium"
      >
        {formatCount(shown)}
      </button>
    ),
  )
}

/** 1 … 4 5 6 … 13: first, last and neighbours; undefined is a gap. */
function pagesShown(page: number, total: number): (number | undefined)[] {
  const near = [1, page - 1, page, page + 1, total].filter((shown) => shown >= 1 && shown <= total)
  const sorted = [...new Set(near)].sort((a, b) => a - b)
  return sorted.flatMap((shown, index) => {
    const before = sorted[index - 1]
    if (before === undefined || shown - before === 1) return [shown]
    return shown - before === 2 ? [shown - 1, shown] : [undefined, shown]
  })
}
