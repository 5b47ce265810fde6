import type { Audience } from '@carillon/contract/audience'
import { Select } from '../../../ui/select.tsx'

type SheetSelectProps = { audience: Audience; isBusy: boolean; onSheet: (sheet: string) => void }

/** Selects the sheet of a workbook; empty if there is only one. */
export function SheetSelect({ audience: { sheets, mapping }, isBusy, onSheet }: SheetSelectProps) {
  if (sheets.length < 2) return null
  return (
    <Select
      size="tool"
      aria-label="Sheet"
      className="w-44 max-md:w-full"
      disabled={isBusy}
      value={mapping?.sheet ?? sheets[0] ?? ''}
      onValueChange={onSheet}
      options={sheets.map((sheet) => ({ value: sheet, label: sheet }))}
    />
  )
}
