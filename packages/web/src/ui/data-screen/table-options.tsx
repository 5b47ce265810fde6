import { Columns3, Rows3, Rows4 } from 'lucide-react'
import { useState } from 'react'
import { currentPreferences } from '../../lib/preferences.ts'
import { IconButton } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { Popover } from '../popover.tsx'
import type { Column } from './columns.ts'

export type TableLook = { compact: boolean; shown: Record<string, boolean> }

/** Density and columns of a table in this browser; the account's preference until the table is changed. */
export function useTableLook(table: string): [TableLook, (look: TableLook) => void] {
  const key = `carillon.table.${table}`
  const [look, setLook] = useState(() => readLook(key))
  function change(next: TableLook) {
    setLook(next)
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  }
  return [look, change]
}

export function shownColumns<Row>(columns: readonly Column<Row>[], look: TableLook): readonly Column<Row>[] {
  return columns.filter((column, index) => index === 0 || isShown(column, look))
}

function isShown<Row>({ id, optional }: Column<Row>, look: TableLook): boolean {
  return look.shown[id] ?? optional !== true
}

function readLook(key: string): TableLook {
  const fresh: TableLook = { compact: currentPreferences().density === 'compact', shown: {} }
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    // Written only by `change`; invalid values merely hide or show columns.
    return stored && typeof stored === 'object' ? { ...fresh, ...(stored as Partial<TableLook>) } : fresh
  } catch {
    return fresh
  }
}

type TableOptionsProps<Row> = { columns: readonly Column<Row>[]; look: TableLook; onLook: (look: TableLook) => void }

export function TableOptions<Row>({ columns, look, onLook }: TableOptionsProps<Row>) {
  return (
    <div className="ml-auto flex items-center gap-1 max-md:hidden">
      <IconButton
        label={look.compact ? 'Comfortable rows' : 'Compact rows'}
        size="tool"
        aria-pressed={look.compact}
        onClick={() => onLook({ ...look, compact: !look.compact })}
      >
        {look.compact ? <Rows3 aria-hidden /> : <Rows4 aria-hidden />}
      </IconButton>
      <Popover
        label="Columns"
        align="end"
        className="flex w-56 flex-col gap-1.5 p-3"
        trigger={
          <IconButton label="Columns" size="tool">
            <Columns3 aria-hidden />
          </IconButton>
        }
      >
        {columns.slice(1).map((column) => (
          <Checkbox
            key={column.id}
            label={column.header}
            checked={isShown(column, look)}
            onChange={(event) => onLook({ ...look, shown: { ...look.shown, [column.id]: event.target.checked } })}
          />
        ))}
      </Popover>
    </div>
  )
}
