import { RefreshCw } from 'lucide-react'
import { formatRelative } from '../../lib/format.ts'
import type { useApi } from '../../lib/use-api.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { ranges, type Range } from './overview-view.ts'

type RangeActionsProps = {
  counts: ReturnType<typeof useApi<'dashboard.statusCounts'>>
  range: Range
  onRange: (range: Range) => void
}

/** Age of the data, refresh, and range of days. */
export function RangeActions({ counts, range, onRange }: RangeActionsProps) {
  return (
    <>
      <span className="text-dense text-muted-foreground max-md:hidden">
        {counts.dataUpdatedAt ? `Updated ${formatRelative(counts.dataUpdatedAt)}` : ''}
      </span>
      <IconButton label="Refresh" size="sm" loading={counts.isFetching} onClick={() => void counts.refetch()}>
        <RefreshCw aria-hidden />
      </IconButton>
      <Select
        aria-label="Range"
        size="sm"
        className="w-auto"
        value={range}
        options={ranges.map((days) => ({ value: days, label: `Last ${days} days vs previous` }))}
        onValueChange={onRange}
      />
    </>
  )
}
