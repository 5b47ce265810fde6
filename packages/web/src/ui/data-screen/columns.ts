import type { ReactNode } from 'react'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  sortable?: boolean
  /** In pixels; the first column takes the remaining width. */
  width?: number
  /** Hidden by default. */
  optional?: boolean
}

export type Sort = { column: string; direction: 'asc' | 'desc' }

/** A query in the form screens need: the result of `useApi` with its rows. */
export type Source<Row> = {
  rows: readonly Row[] | undefined
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => void
  /** When the rows were loaded. */
  updatedAt?: number
}

type Query = {
  isPending: boolean
  isFetching: boolean
  error: Error | null
  refetch: () => unknown
  dataUpdatedAt: number
}

/** Makes a source of a query and its rows: `sourceOf(campaigns, campaigns.data?.campaigns)`. */
export function sourceOf<Row>(query: Query, rows: readonly Row[] | undefined): Source<Row> {
  return {
    rows,
    isPending: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    refetch: () => void query.refetch(),
    updatedAt: query.dataUpdatedAt,
  }
}
