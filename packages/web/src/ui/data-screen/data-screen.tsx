import { useRouterState } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { stringifySearch } from '../../lib/search.ts'
import { useIsMobile } from '../../lib/use-is-mobile.ts'
import { Button } from '../button.tsx'
import { Empty } from '../empty.tsx'
import { Failure } from '../failure.tsx'
import { Loaded } from '../loaded.tsx'
import type { MenuItem } from '../menu.tsx'
import { Page } from '../page.tsx'
import { AfterDelay, StillWorking } from '../skeleton.tsx'
import { Tabs, type TabItem } from '../tabs.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { Column, Sort, Source } from './columns.ts'
import { DataTable, type Selection } from './data-table.tsx'
import { clearFilter, isActive, wordsOf, type Filter } from './filter.ts'
import { FilterBar } from './filters.tsx'
import { Pager, type Paging } from './pager.tsx'
import { PeekSheet, type Peek } from './peek-sheet.tsx'
import { RowCards } from './row-cards.tsx'
import { SearchBox, type SearchState } from './search-box.tsx'
import { shownColumns, TableOptions, useTableLook } from './table-options.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { ViewsMenu } from './views-menu.tsx'

type DataScreenProps<Row> = {
  /** Key of the table's density and columns in browser storage. */
  id: string
  title: string
  /** Before the title: the way back to the list. */
  lead?: ReactNode
  count?: number | undefined
  actions?: ReactNode
  /** Shown below the heading, such as a form that adds a row. */
  above?: ReactNode
  tabs?: { label: string; items: readonly TabItem[]; value: string; onValueChange: (value: string) => void }
  search?: SearchState
  filters?: readonly Filter[]
  /** Noun for the rows: 'campaigns'. */
  noun: string
  source: Source<Row>
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** A row on phones: title, status, two numbers. */
  card: (row: Row) => ReactNode
  sort?: Sort
  onSort?: (sort: Sort) => void
  rowMenu?: (row: Row) => readonly MenuItem[]
  /** Opens a row's own page; without a peek, also the click action. */
  onOpen?: (row: Row) => void
  peek?: {
    id: string | undefined
    onPeek: (id: string | undefined) => void
    render: (row: Row) => Peek
    /** The open row if it is not on this page; see `isElsewhere`. */
    elsewhere?: Row | undefined
  }
  /** Actions for the selected rows; makes rows selectable. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode
  paging: Paging
  /** Shown if nothing exists yet: an `Empty` with the first action. */
  empty: ReactNode
  /** Shown between toolbar and table. */
  notice?: ReactNode
}

type ToolbarProps = { search: SearchState | undefined; filters: readonly Filter[]; children: ReactNode }

/** Absent on phones if it has neither a search nor filters. */
function Toolbar({ search, filters, children }: ToolbarProps) {
  const hasContent = search !== undefined || filters.length > 0
  return (
    <div className={`flex min-h-14 items-center gap-2 py-3 screen-x ${hasContent ? '' : 'max-md:hidden'}`}>
      {search ? <SearchBox {...search} /> : null}
      {filters.length > 0 ? <FilterBar filters={filters} /> : null}
      {children}
    </div>
  )
}

/** List screen: title, tabs, search, filters, table or cards, selection, peek, paging, and all states. */
export function DataScreen<Row>(props: DataScreenProps<Row>) {
  const { id, title, lead, count, actions, above, tabs, search, filters = [], notice, columns } = props
  const [look, setLook] = useTableLook(id)
  const isNarrowed = filters.some(isActive) || Boolean(search?.value)
  const isFirstUse = props.source.rows?.length === 0 && !isNarrowed
  return (
    <Page
      title={title}
      lead={lead}
      count={count}
      actions={
        <>
          {isFirstUse ? null : <ViewsMenu list={id} look={look} onLook={setLook} />}
          {actions}
        </>
      }
    >
      {above}
      {tabs ? (
        <Tabs label={tabs.label} items={tabs.items} value={tabs.value} onValueChange={tabs.onValueChange} />
      ) : null}
      {isFirstUse ? null : (
        <Toolbar search={search} filters={filters}>
          <TableOptions columns={columns} look={look} onLook={setLook} />
        </Toolbar>
      )}
      {notice}
      <Rows {...props} compact={look.compact} columns={shownColumns(columns, look)} />
    </Page>
  )
}

type RowsProps<Row> = DataScreenProps<Row> & { compact: boolean }

function Rows<Row>(props: RowsProps<Row>) {
  const { source, rowId, peek, bulk } = props
  const rows = source.rows ?? []
  const ids = rows.map(rowId)
  const selection = useSelection(ids)
  useKeysOf(props, { ids, onToggle: selection.onToggle })
  if (source.rows?.length === 0 && !source.error) return <Nothing {...props} />

  return (
    <div className="relative flex min-w-0 flex-col" aria-busy={source.isFetching}>
      {source.isFetching && source.rows ? <RefetchLine /> : null}
      <Body {...props} selection={bulk ? selection : undefined} />
      {bulk ? <Bulk rows={rows} rowId={rowId} selection={selection} bulk={bulk} /> : null}
      {peek ? (
        <Peeking peek={peek} row={rows.find((row) => rowId(row) === peek.id) ?? peek.elsewhere} ids={ids} />
      ) : null}
    </div>
  )
}

type Keyed = { ids: readonly string[]; onToggle: (id: string) => void }

function useKeysOf<Row>({ source, rowId, peek, onOpen, bulk }: DataScreenProps<Row>, { ids, onToggle }: Keyed) {
  function open(id: string) {
    const row = source.rows?.find((candidate) => rowId(candidate) === id)
    if (row !== undefined) onOpen?.(row)
  }
  useRowKeys({ ids, openId: peek?.id, onPeek: peek?.onPeek, onEnter: onOpen && open, onToggle: bulk && onToggle })
}

type SelectedRowsProps<Row> = RowsProps<Row> & { selection: Selection | undefined }

function Body<Row>(props: SelectedRowsProps<Row>) {
  const { source, noun, paging } = props
  const { error, rows } = source
  return (
    <>
      {error ? (
        <Failure error={error} onRetry={source.refetch} staleSince={rows ? source.updatedAt : undefined} />
      ) : null}
      {error && !rows ? null : (
        <Waiting on={!rows} noun={noun}>
          <TableOrCards {...props} />
        </Waiting>
      )}
      {rows ? <Pager {...paging} rowsHere={rows.length} /> : null}
    </>
  )
}

type BulkProps<Row> = {
  rows: readonly Row[]
  rowId: (row: Row) => string
  selection: ReturnType<typeof useSelection>
  bulk: NonNullable<DataScreenProps<Row>['bulk']>
}

function Bulk<Row>({ rows, rowId, selection, bulk }: BulkProps<Row>) {
  const selected = rows.filter((row) => selection.ids.has(rowId(row)))
  return (
    <BulkBar count={selected.length} onClear={selection.clear}>
      {bulk(selected, selection.clear)}
    </BulkBar>
  )
}

function TableOrCards<Row>(props: SelectedRowsProps<Row>) {
  const { title, source, rowId, rowName, rowMenu, card, peek, onOpen } = props
  const isMobile = useIsMobile()
  const hrefOf = useRowAddress()
  const common = {
    label: title,
    rows: source.rows,
    rowId,
    rowName,
    rowMenu,
    openId: peek?.id,
    ...(peek ? { rowHref: (row: Row) => hrefOf(rowId(row)) } : {}),
    onRow: peek ? (row: Row) => peek.onPeek(rowId(row)) : onOpen,
  }
  return (
    <Loaded at={source.rows && source.updatedAt} isStale={source.error !== null}>
      {isMobile ? (
        <RowCards {...common} card={card} />
      ) : (
        <DataTable
          {...common}
          columns={props.columns}
          sort={props.sort}
          onSort={props.onSort}
          selection={props.selection}
          compact={props.compact}
        />
      )}
    </Loaded>
  )
}

/** The list's URL with another row open: every list uses the same key for the open row. */
function useRowAddress(): (id: string) => string {
  const { pathname, search } = useRouterState({ select: ({ location }) => location })
  return (id) => `${pathname}${stringifySearch({ ...search, c: id })}`
}

/** Selected rows of the page. */
function useSelection(pageIds: readonly string[]): Selection & { clear: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const allHere = pageIds.length > 0 && pageIds.every((id) => ids.has(id))
  return {
    ids,
    onToggle: (id) => setIds((known) => (known.has(id) ? without(known, [id]) : new Set(known).add(id))),
    onToggleAll: () => setIds((known) => (allHere ? without(known, pageIds) : new Set([...known, ...pageIds]))),
    clear: () => setIds(new Set()),
  }
}

function Peeking<Row>({
  peek,
  row,
  ids,
}: {
  peek: NonNullable<DataScreenProps<Row>['peek']>
  row: Row | undefined
  ids: readonly string[]
}) {
  function step(by: 1 | -1) {
    const next = ids[ids.indexOf(peek.id ?? '') + by]
    if (next !== undefined) peek.onPeek(next)
  }
  return (
    <PeekSheet
      peek={row === undefined ? undefined : peek.render(row)}
      rowId={peek.id}
      onClose={() => peek.onPeek(undefined)}
      onStep={step}
    />
  )
}

function Waiting({ on, noun, children }: { on: boolean; noun: string; children: ReactNode }) {
  if (!on) return children
  return (
    <div aria-busy="true" className="min-h-105">
      <span role="status" className="sr-only">
        Loading {noun}
      </span>
      <AfterDelay>{children}</AfterDelay>
      <StillWorking />
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
    <Empty
      icon={SearchX}
      title={
        <span className="font-normal">
          No {noun} match <b className="font-semibold">{words}</b>
        </span>
      }
      actions={<Button onClick={clear}>Clear filters</Button>}
    />
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

function without(ids: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  return new Set([...ids].filter((id) => !gone.includes(id)))
}
