import type { ReactNode } from 'react'
import { useIsMobile } from '../../lib/use-is-mobile.ts'
import { Failure } from '../failure.tsx'
import { Loaded } from '../loaded.tsx'
import type { MenuItem } from '../menu.tsx'
import { StillWorking } from '../skeleton.tsx'
import type { Column, Source } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { Pager, type Paging } from './pager.tsx'
import { RowCards } from './row-cards.tsx'

type ListPanelProps<Row> = {
  label: string
  source: Source<Row>
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  card: (row: Row) => ReactNode
  rowMenu?: (row: Row) => readonly MenuItem[]
  onRow?: ((row: Row) => void) | undefined
  empty: ReactNode
  paging: Paging
}

/** A list inside a tab: table or cards, all states, and paging; full screens use `DataScreen`. */
export function ListPanel<Row>({ source, columns, card, empty, paging, ...rest }: ListPanelProps<Row>) {
  const { rows, error, refetch, updatedAt } = source
  if (rows?.length === 0 && !error) return empty
  return (
    <div aria-busy={source.isFetching}>
      {error ? <Failure error={error} onRetry={refetch} staleSince={rows ? updatedAt : undefined} /> : null}
      {error && !rows ? null : <Rows source={source} columns={columns} card={card} {...rest} />}
      {rows && rows.length > 0 ? <Pager {...paging} rowsHere={rows.length} /> : null}
    </div>
  )
}

type RowsProps<Row> = Omit<ListPanelProps<Row>, 'empty' | 'paging'>

function Rows<Row>({ source, columns, card, ...rest }: RowsProps<Row>) {
  const isMobile = useIsMobile()
  const { rows, error, updatedAt } = source
  return (
    <>
      <Loaded at={rows && updatedAt} isStale={error !== null}>
        {isMobile ? (
          <RowCards rows={rows} card={card} {...rest} />
        ) : (
          <DataTable rows={rows} columns={columns} {...rest} />
        )}
      </Loaded>
      {rows ? null : <StillWorking />}
    </>
  )
}
