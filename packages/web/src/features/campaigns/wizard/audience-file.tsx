import type { Audience } from '@carillon/contract/audience'
import { Bookmark, FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatCount, formatRelative } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { SheetSelect } from './sheet-select.tsx'

const SaveAudienceDialog = lazyDialog(() =>
  import('./save-audience-dialog.tsx').then((code) => code.SaveAudienceDialog),
)

type AudienceFileProps = {
  audience: Audience
  onPaste: () => void
  onReplace: () => void
  /** Reads another sheet of the workbook. */
  onSheet: (sheet: string) => void
  isBusy: boolean
}

/** The uploaded file, and a button to replace it. */
export function AudienceFile({ audience, onPaste, onReplace, onSheet, isBusy }: AudienceFileProps) {
  const { fileName, format, total, hiddenRows, createdAt, savedAs } = audience
  const [isSaving, setSaving] = useState(false)
  const facts = [
    ...(savedAs ? [fileName] : []),
    countOf(total, 'row'),
    ...(hiddenRows > 0 ? [`${formatCount(hiddenRows)} hidden in the sheet, included`] : []),
    format === 'pasted' ? 'pasted' : format.toUpperCase(),
    formatRelative(createdAt),
  ]
  return (
    <div className="flex min-h-15 flex-wrap items-center gap-3 rounded-lg border border-border bg-card py-2.5 pr-2 pl-3">
      <span className="grid size-9 shrink-0 place-items-center rounded-md bg-success-muted text-success-text">
        <FileSpreadsheet aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-60px)] lg:max-xl:basis-[calc(100%-60px)]">
        <b className="block truncate leading-4.5">{savedAs ?? (fileName || 'Pasted numbers')}</b>
        <small className="block text-caption text-muted-foreground tabular-nums">{facts.join(' · ')}</small>
      </div>
      {savedAs ? null : <SheetSelect audience={audience} isBusy={isBusy} onSheet={onSheet} />}
      {audience.status === 'ready' && audience.accepted > 0 && !savedAs ? (
        <Button size="sm" variant="ghost" className="max-md:h-10 max-md:flex-1" onClick={() => setSaving(true)}>
          <Bookmark aria-hidden /> Save audience
        </Button>
      ) : null}
      <Button size="sm" variant="ghost" className="max-md:h-10 max-md:flex-1" onClick={onPaste}>
        Paste numbers
      </Button>
      <Button size="sm" className="max-md:h-10 max-md:flex-1" onClick={onReplace}>
        Replace file
      </Button>
      {isSaving ? (
        <SaveAudienceDialog id={audience._id} name={fileName.replace(/\.\w+$/, '')} onClose={() => setSaving(false)} />
      ) : null}
    </div>
  )
}
