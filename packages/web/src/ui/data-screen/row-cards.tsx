import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { MenuItem } from '../menu.tsx'
import { Skeleton } from '../skeleton.tsx'
import { RowMenu } from './row-menu.tsx'

type RowCardsProps<Row> = {
  label: string
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** Title, status and two numbers. */
  card: (row: Row) => ReactNode
  rowMenu?: ((row: Row) => readonly MenuItem[]) | undefined
  onRow?: ((row: Row) => void) | undefined
  openId?: string | undefined
}

/** The rows of a table on a phone. */
export function RowCards<Row>({ label, rows, rowId, rowName, card, rowMenu, onRow, openId }: RowCardsProps<Row>) {
  return (
    <ul aria-label={label} className="border-t border-border">
      {rows
        ? rows.map((row) => {
            const menu = rowMenu?.(row) ?? []
            return (
              <li
                key={rowId(row)}
                className={clsx(
                  'flex items-start gap-2 border-b border-line py-3 screen-x',
                  openId === rowId(row) && 'bg-selected',
                )}
              >
                <div className="min-w-0 flex-1" onClick={onRow && (() => onRow(row))}>
                  {card(row)}
                </div>
                {menu.length > 0 ? <RowMenu name={rowName(row)} items={menu} /> : null}
              </li>
            )
          })
        : Array.from({ length: 6 }, (_, index) => (
            <li key={index} aria-hidden className="flex flex-col gap-3 border-b border-line py-4 screen-x">
              <Skeleton className="w-1/2" />
              <Skeleton className="w-4/5" />
            </li>
          ))}
    </ul>
  )
}
