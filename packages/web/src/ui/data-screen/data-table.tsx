import clsx from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Checkbox } from '../checkbox.tsx'
import { ContextMenu, type MenuItem } from '../menu.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { Column, Sort } from './columns.ts'
import { RowMenu } from './row-menu.tsx'

export type Selection = { ids: ReadonlySet<string>; onToggle: (id: string) => void; onToggleAll: () => void }

export type DataTableProps<Row> = {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined: shows a skeleton. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
  selection?: Selection | undefined
  rowMenu?: ((row: Row) => readonly MenuItem[]) | undefined
  /** URL of a row, so that it can be opened in a new tab. */
  rowHref?: ((row: Row) => string) | undefined
  /** Opens or peeks at a row. */
  onRow?: ((row: Row) => void) | undefined
  openId?: string | undefined
  compact?: boolean
  /** Number of skeleton rows. */
  expected?: number
}

const edge = 'first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6'

/** A table with sticky head and one focusable row at a time. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, selection, rowMenu, compact, expected = 8 } = props
  return (
    <div
      className="group/table relative overflow-x-auto"
      role="region"
      aria-label={label}
      tabIndex={0}
      ref={markHidden}
      onScroll={({ currentTarget }) => markHidden(currentTarget)}
    >
      <table
        className={clsx(
          'w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums',
          compact && 'text-dense',
        )}
      >
        <caption className="sr-only">{label}</caption>
        <Head {...props} />
        <tbody>
          {rows
            ? rows.map((row) => <BodyRow key={rowId(row)} row={row} {...props} />)
            : Array.from({ length: expected }, (_, index) => (
                <tr key={index} aria-hidden>
                  {selection ? (
                    <Cell compact={compact}>
                      <Skeleton className="size-4" />
                    </Cell>
                  ) : null}
                  {columns.map((column, place) => (
                    <Cell key={column.id} compact={compact} align={column.align}>
                      <Skeleton className={place === 0 ? 'w-40' : 'w-16'} />
                    </Cell>
                  ))}
                  {rowMenu ? <Cell compact={compact}>{null}</Cell> : null}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

/** Name and menu columns stay in view; a line indicates columns hidden behind them. */
const nameStays = 'sticky z-1 bg-background group-data-[before]/table:shadow-[1px_0_0_var(--border)]'
const menuStays = 'sticky right-0 z-1 bg-background group-data-[after]/table:shadow-[-1px_0_0_var(--border)]'

function markHidden(table: HTMLElement | null) {
  if (!table) return
  const { scrollLeft, clientWidth, scrollWidth } = table
  table.toggleAttribute('data-before', scrollLeft > 0)
  table.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 1)
}

function Head<Row>({ columns, sort, onSort, selection, rows, rowId, rowMenu }: DataTableProps<Row>) {
  const chosen = selection && rows ? rows.filter((row) => selection.ids.has(rowId(row))).length : 0
  const headCell = clsx(
    'sticky top-0 z-2 h-9 border-y border-border bg-background px-3 text-left text-caption font-medium text-muted-foreground',
    edge,
  )
  return (
    <thead>
      <tr>
        {selection ? (
          <th className={clsx(headCell, 'left-0 z-3! w-10 pr-0!')}>
            <Checkbox
              aria-label="Select all on this page"
              checked={chosen > 0 && chosen === rows?.length}
              mixed={chosen > 0 && chosen < (rows?.length ?? 0)}
              onChange={selection.onToggleAll}
              className="block"
            />
          </th>
        ) : null}
        {columns.map((column, place) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={ariaSort(column, sort)}
            className={clsx(
              headCell,
              column.align === 'right' && 'text-right',
              place === 0 && ['z-3!', nameStays, selection ? 'left-10' : 'left-0'],
            )}
            style={column.width === undefined ? undefined : { width: column.width }}
          >
            {column.sortable && onSort ? <SortButton column={column} sort={sort} onSort={onSort} /> : column.header}
          </th>
        ))}
        {rowMenu ? (
          <th className={clsx(headCell, 'w-14 z-3!', menuStays)}>
            <span className="sr-only">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

function SortButton<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}) {
  const active = sort?.column === column.id
  const Icon = active ? (sort.direction === 'asc' ? ArrowUp : ArrowDown) : ChevronsUpDown
  return (
    <button
      type="button"
      onClick={() => onSort({ column: column.id, direction: active && sort.direction === 'desc' ? 'asc' : 'desc' })}
      className={clsx(
        'inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-foreground',
        active && 'text-foreground',
      )}
    >
      {column.header}
      <Icon aria-hidden className={clsx('size-3', !active && 'opacity-50')} />
    </button>
  )
}

function ariaSort<Row>(column: Column<Row>, sort: Sort | undefined) {
  if (!column.sortable) return undefined
  if (sort?.column !== column.id) return 'none'
  return sort.direction === 'asc' ? 'ascending' : 'descending'
}

function BodyRow<Row>({ row, ...props }: DataTableProps<Row> & { row: Row }) {
  const { columns, rowId, rowName, rowHref, selection, rowMenu, onRow, openId, compact } = props
  const id = rowId(row)
  const selected = selection?.ids.has(id) === true || openId === id
  const menu = rowMenu?.(row) ?? []
  const line = (
    <tr
      data-row={id}
      tabIndex={-1}
      aria-selected={selected}
      onClick={onRow && ((event) => clickIsForRow(event) && onRow(row))}
      className={clsx(
        'group focus-visible:-outline-offset-2 hover:[&>*]:bg-accent aria-selected:[&>*]:bg-selected aria-selected:[&>:first-child]:shadow-[inset_2px_0_0_var(--brand)]',
        onRow && 'cursor-pointer',
      )}
    >
      {selection ? (
        <Cell compact={compact} className="sticky left-0 z-1 bg-background pr-0!">
          <Checkbox
            aria-label={`Select ${rowName(row)}`}
            checked={selection.ids.has(id)}
            onChange={() => selection.onToggle(id)}
            className="block"
          />
        </Cell>
      ) : null}
      {columns.map((column, place) =>
        place === 0 ? (
          <Cell key={column.id} compact={compact} header className={clsx(nameStays, selection ? 'left-10' : 'left-0')}>
            <RowLink href={rowHref?.(row)} onFollow={onRow && (() => onRow(row))}>
              {column.cell(row)}
            </RowLink>
          </Cell>
        ) : (
          <Cell key={column.id} compact={compact} align={column.align}>
            {column.cell(row)}
          </Cell>
        ),
      )}
      {rowMenu ? (
        <Cell compact={compact} align="right" className={menuStays}>
          {menu.length > 0 ? <RowMenu name={rowName(row)} items={menu} /> : null}
        </Cell>
      ) : null}
    </tr>
  )
  return menu.length > 0 ? <ContextMenu items={menu}>{line}</ContextMenu> : line
}

type CellProps = {
  compact?: boolean | undefined
  align?: 'right' | undefined
  header?: boolean
  className?: string
  children: ReactNode
}

function Cell({ compact, align, header, className, children }: CellProps) {
  const Tag = header ? 'th' : 'td'
  return (
    <Tag
      {...(header ? { scope: 'row' } : {})}
      className={clsx(
        'border-b border-line text-left font-normal',
        edge,
        compact ? 'h-9 px-2' : 'h-11 px-3',
        align === 'right' && 'text-right',
        className,
      )}
    >
      {children}
    </Tag>
  )
}

/** A plain click shows the row here; other clicks are left to the browser: new tab, new window, copy link. */
function RowLink({
  href,
  onFollow,
  children,
}: {
  href: string | undefined
  onFollow: (() => void) | undefined
  children: ReactNode
}) {
  if (href === undefined || !onFollow) return children
  return (
    <a
      href={href}
      draggable={false}
      className="block text-inherit no-underline"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onFollow()
      }}
    >
      {children}
    </a>
  )
}

function clickIsForRow({ target, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  const isPlain = !metaKey && !ctrlKey && !shiftKey
  return isPlain && target instanceof Element && !target.closest('a, button, input, label, [role=menuitem]')
}
