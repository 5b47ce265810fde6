import { SearchX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useIsMobile } from '../../lib/use-is-mobile.ts'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'
import { Failure } from '../failure.tsx'
import type { MenuItem } from '../menu.tsx'
import { Page } from '../page.tsx'
import { AfterDelay } from '../skeleton.tsx'
import { Tabs, type TabItem } from '../tabs.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Column, Sort, Source } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { clearFilter, FilterBar, isActive, wordsOf, type Filter } from './filters.tsx'
import { Pager, type Paging } from './pager.tsx'
import { PeekSheet, type Peek } from './peek-sheet.tsx'
import { RowCards } from './row-cards.tsx'
import { SearchBox, type SearchState } from './search-box.tsx'
import { shownColumns, TableOptions, useTableLook } from './table-options.tsx'
import { useRowKeys } from './use-row-keys.ts'

type DataScreenProps<Row> = {
  /** Names the table in this browser, for its density and columns. */
  id: string
  title: string
  count?: number | undefined
  actions?: ReactNode
  tabs?: { label: string; items: readonly TabItem[]; value: string; onValueChange: (value: string) => void }
  search?: SearchState
  filters?: readonly Filter[]
  /** What the rows are called: 'campaigns'. */
  noun: string
  source: Source<Row>
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** A row on a phone: title, status, two numbers. */
  card: (row: Row) => ReactNode
  sort?: Sort
  onSort?: (sort: Sort) => void
  rowMenu?: (row: Row) => readonly MenuItem[]
  /** Opens a row for good; without a peek also what a click does. */
  onOpen?: (row: Row) => void
  peek?: { id: string | undefined; onPeek: (id: string | undefined) => void; render: (row: Row) => Peek }
  /** Buttons for the selected rows; makes rows selectable. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  paging: Paging
  /** Nothing exists yet: an `Empty` with the first action. */
  empty: ReactNode
  /** Between the toolbar and the table. */
  notice?: ReactNode
}

/** The list screen of the product: title, tabs, search, filters, table or cards, selection, peek, pages, and every state. */
export function DataScreen<Row>(props: DataScreenProps<Row>) {
  const { id, title, count, actions, tabs, search, filters = [], notice, columns } = props
  const [look, setLook] = useTableLook(id)
  return (
    <Page title={title} count={count} actions={actions}>
      {tabs ? <Tabs label={tabs.label} items={tabs.items} value={tabs.value} onValueChange={tabs.onValueChange} /> : null}
      <div className="flex min-h-14 items-center gap-2 py-3 screen-x">
        {search ? <SearchBox {...search} /> : null}
        <FilterBar filters={filters} />
        <TableOptions columns={columns} look={look} onLook={setLook} />
      </div>
      {notice}
      <Rows {...props} compact={look.compact} columns={shownColumns(columns, look)} />
    </Page>
  )
}

type RowsProps<Row> = DataScreenProps<Row> & { compact: boolean }

function Rows<Row>(props: RowsProps<Row>) {
  const { source, noun, rowId, rowName, card, peek, onOpen, paging, bulk } = props
  const isMobile = useIsMobile()
  const rows = source.rows
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setIds((known) => (known.has(id) ? without(known, id) : new Set(known).add(id)))
  const byId = (id: string | undefined) => rows?.find((row) => rowId(row) === id)

  useRowKeys({
    ids: rows?.map(rowId) ?? [],
    openId: peek?.id,
    onPeek: peek?.onPeek,
    onEnter: onOpen && ((id) => withDefined(byId(id), onOpen)),
    onToggle: bulk && toggle,
  })

  if (rows && rows.length === 0 && !source.error) return <Nothing {...props} />

  const common = { label: props.title, rows, rowId, rowName, rowMenu: props.rowMenu, openId: peek?.id }
  const onRow = peek ? (row: Row) => peek.onPeek(rowId(row)) : onOpen
  const selected = rows?.filter((row) => ids.has(rowId(row))) ?? []
  const selection = bulk && {
    ids,
    onToggle: toggle,
    onToggleAll: () => setIds(selected.length === rows?.length ? new Set() : new Set(rows?.map(rowId))),
  }

  return (
    <div className="relative flex min-w-0 flex-col" aria-busy={source.isFetching}>
      {source.isFetching && rows ? <RefetchLine /> : null}
      {source.error ? <Failure error={source.error} onRetry={source.refetch} staleSince={rows ? source.updatedAt : undefined} /> : null}
      {source.error && !rows ? null : (
        <Waiting on={!rows} noun={noun}>
          <div className={source.error ? 'opacity-60' : undefined}>
            {isMobile ? (
              <RowCards {...common} card={card} onRow={onRow} />
            ) : (
              <DataTable {...common} columns={props.columns} sort={props.sort} onSort={props.onSort} selection={selection} compact={props.compact} onRow={onRow} />
            )}
          </div>
        </Waiting>
      )}
      {rows ? <Pager {...paging} rowsHere={rows.length} /> : null}
      {bulk ? (
        <BulkBar count={selected.length} onClear={() => setIds(new Set())}>
          {bulk(selected, () => setIds(new Set()))}
        </BulkBar>
      ) : null}
      {peek ? <Peeking peek={peek} row={byId(peek.id)} ids={rows?.map(rowId) ?? []} /> : null}
    </div>
  )
}

function Peeking<Row>({ peek, row, ids }: { peek: NonNullable<DataScreenProps<Row>['peek']>; row: Row | undefined; ids: readonly string[] }) {
  function step(by: 1 | -1) {
    const next = ids[ids.indexOf(peek.id ?? '') + by]
    if (next !== undefined) peek.onPeek(next)
  }
  return <PeekSheet peek={row === undefined ? undefined : peek.render(row)} onClose={() => peek.onPeek(undefined)} onStep={step} />
}

function Waiting({ on, noun, children }: { on: boolean; noun: string; children: ReactNode }) {
  if (!on) return children
  return (
    <div aria-busy="true" className="min-h-105">
      <span role="status" className="sr-only">
        Loading {noun}
      </span>
      <AfterDelay>{children}</AfterDelay>
    </div>
  )
}

function Nothing<Row>({ filters = [], search, empty, noun }: DataScreenProps<Row>) {
  const active = filters.filter(isActive)
  if (active.length === 0 && !search?.value) return empty
  const words = [...active.map(wordsOf), search?.value ? `“${search.value}”` : ''].filter(Boolean).join(' · ')

  function clear() {
    active.forEach(clearFilter)
    if (search?.value) search.onValueChange('')
  }
  return (
    <Empty icon={SearchX} title={`No ${noun} match ${words}`} actions={<Button onClick={clear}>Clear filters</Button>} />
  )
}

function RefetchLine() {
  return (
    <span
      aria-hidden
      className="absolute inset-x-0 top-0 z-3 h-0.5 animate-refetch bg-[linear-gradient(90deg,transparent,var(--brand),transparent)] bg-[length:40%_100%] bg-no-repeat"
    />
  )
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids)
  rest.delete(id)
  return rest
}

function withDefined<T>(value: T | undefined, act: (value: T) => void) {
  if (value !== undefined) act(value)
}
