import type { EndpointName } from '@carillon/contract'
import { Trash2 } from 'lucide-react'
import { countOf } from '../../../lib/format.ts'
import { BulkWrite } from '../../../ui/data-screen/bulk-write.tsx'

type BulkDeleteProps<Row> = {
  rows: readonly Row[]
  /** What is deleted with them, and what is kept. */
  effect: string
  /** Why a template cannot be deleted. */
  refusal?: (row: Row) => string | undefined
  write: (row: Row, options: { key: string }) => Promise<unknown>
  refreshes: readonly EndpointName[]
  onDone: () => void
}

/** Deletes the selected templates. */
export function BulkDelete<Row extends { name: string }>({
  effect,
  refusal = () => undefined,
  ...rest
}: BulkDeleteProps<Row>) {
  return (
    <BulkWrite
      {...rest}
      nameOf={({ name }) => name}
      words={{
        label: 'Delete',
        icon: Trash2,
        title: (count) => `Delete ${countOf(count, 'template')}?`,
        effect,
        action: (count) => `Delete ${countOf(count, 'template')}`,
      }}
      refusal={refusal}
    />
  )
}
