import type { Audience } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { maximumAudienceBytes } from '@carillon/contract/sizes'
import { useState, type ReactNode } from 'react'
import { download } from '../../../lib/download.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Progress } from '../../../ui/progress.tsx'

import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { AudienceColumns } from './audience-columns.tsx'
import { AudienceCounts } from './audience-counts.tsx'
import { AudienceFile } from './audience-file.tsx'
import type { AudienceFill } from '../../../channels/parts/audience-fill.ts'
import { AudienceRejects } from './lazy-audience-rejects.tsx'
import { PasteNumbers } from './paste-numbers.tsx'
import { sampleCsv, type SampleColumn } from './sample-csv.ts'
import { SheetSelect } from './sheet-select.tsx'
import { isUnderWay, type AudienceHandle } from './use-audience.ts'

const SavedAudiencesDialog = lazyDialog(() =>
  import('./saved-audiences-dialog.tsx').then((code) => code.SavedAudiencesDialog),
)

type AudienceStepProps = {
  handle: AudienceHandle
  fill: AudienceFill
  usedColumns: ReadonlyMap<number, string>
  channel: Channel
  /** Consent field below the results. */
  consent: ReactNode
}

/** Uploads a file or pasted numbers, with live validation of the rows. */
export function AudienceStep({ handle, fill, usedColumns, channel, consent }: AudienceStepProps) {
  const { audience, isPending, loadError, retry, upload } = handle
  const [isPasting, setPasting] = useState(false)
  const [isReplacing, setReplacing] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const country = countryOf(audience)

  if (isPending) {
    return (
      <Loading label="Loading the audience">
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (loadError) return <Failure error={loadError} onRetry={retry} />
  const isEmpty = !audience || audience.status === 'failed' || isReplacing

  return (
    <div className="flex flex-col gap-6">
      <Problem handle={handle} />
      {audience?.status === 'failed' && !upload ? (
        <SheetSelect
          audience={audience}
          isBusy={handle.isMapping}
          onSheet={(sheet) => handle.setMapping({ defaultCountry: country, sheet })}
        />
      ) : null}
      {upload ? (
        <Uploading upload={upload} onCancel={handle.cancelUpload} />
      ) : isEmpty ? (
        <AudienceDrop
          fill={fill}
          onFile={(file) => {
            setReplacing(false)
            handle.uploadFile(file, country)
          }}
          onPaste={() => setPasting(true)}
          onSaved={() => setChoosing(true)}
          onKeep={isReplacing ? () => setReplacing(false) : undefined}
        />
      ) : (
        <AudienceFindings
          audience={audience}
          handle={handle}
          fill={fill}
          usedColumns={usedColumns}
          channel={channel}
          consent={consent}
          onPaste={() => setPasting(true)}
          onReplace={() => setReplacing(true)}
        />
      )}
      {isChoosing ? (
        <SavedAudiencesDialog
          channel={channel}
          onClose={() => setChoosing(false)}
          onChoose={(id) => {
            setChoosing(false)
            setReplacing(false)
            handle.choose(id)
          }}
        />
      ) : null}
      <PasteNumbers
        open={isPasting}
        onOpenChange={setPasting}
        onPaste={(numbers, defaultCountry) => {
          setPasting(false)
          setReplacing(false)
          handle.paste(numbers, defaultCountry)
        }}
      />
    </div>
  )
}

type AudienceDropProps = {
  fill: AudienceFill
  onFile: (file: File) => void
  onPaste: () => void
  onSaved: () => void
  /** Returns to the current file. */
  onKeep: (() => void) | undefined
}

function AudienceDrop({ fill, onFile, onPaste, onSaved, onKeep }: AudienceDropProps) {
  return (
    <FileDrop
      title="Drop a CSV or Excel file here"
      help="One row per person, up to 10,00,000. The first row can be headers."
      accept=".csv,.xlsx,.txt"
      maximumBytes={maximumAudienceBytes}
      onFile={onFile}
      actions={
        <>
          <Button size="sm" variant="ghost" onClick={onPaste}>
            Paste numbers
          </Button>
          <Button size="sm" variant="ghost" onClick={onSaved}>
            Saved audiences
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void download(sampleCsv(columnsOf(fill)), 'audience.csv')}>
            Download sample CSV
          </Button>
          {onKeep ? (
            <Button size="sm" variant="ghost" onClick={onKeep}>
              Keep the file
            </Button>
          ) : null}
        </>
      }
    />
  )
}

type AudienceFindingsProps = AudienceStepProps & {
  audience: Audience
  onPaste: () => void
  onReplace: () => void
}

function AudienceFindings(props: AudienceFindingsProps) {
  const { handle, fill, usedColumns, channel, consent, onPaste, onReplace } = props
  const audience = handle.corrections.shown ?? props.audience
  return (
    <>
      <div>
        <AudienceFile
          audience={audience}
          isBusy={handle.isMapping}
          onPaste={onPaste}
          onReplace={onReplace}
          onSheet={(sheet) => handle.setMapping({ defaultCountry: countryOf(audience), sheet })}
        />
        {isUnderWay(audience) ? (
          <div className="mt-4 flex flex-col gap-1.5" role="status">
            <Progress percent={audience.percent} label="Checking the rows" thick />
            <p className="text-dense text-muted-foreground tabular-nums">
              Checking, {formatCount(audience.processed)} rows so far
            </p>
          </div>
        ) : null}
        <AudienceCounts audience={audience} />
      </div>
      {audience.status === 'ready' && audience.accepted === 0 ? (
        <Notice tone="care">
          No number in this file can receive messages. Choose another column, or upload another file.
        </Notice>
      ) : null}
      <AudienceColumns
        audience={audience}
        fill={fill}
        used={usedColumns}
        isBusy={handle.isMapping}
        onMapping={handle.setMapping}
      />
      <AudienceRejects key={audience._id} audience={audience} channel={channel} corrections={handle.corrections} />
      {consent}
    </>
  )
}

/** The last error: a rejected upload, or an unreadable file. */
function Problem({ handle: { error, audience, upload } }: { handle: AudienceHandle }) {
  const unreadable =
    audience?.status === 'failed' && !upload ? (audience.error ?? 'The file could not be read') : undefined
  const message = error?.message ?? unreadable
  return message ? <Notice tone="bad">{message}</Notice> : null
}

function Uploading({ upload, onCancel }: { upload: { name: string; percent: number }; onCancel: () => void }) {
  return (
    <div className="flex min-h-15 items-center gap-4 rounded-lg border border-border bg-card px-3 py-2.5" role="status">
      <div className="min-w-0 flex-1">
        <b className="block truncate">{upload.name}</b>
        <Progress percent={upload.percent} label={`Uploading ${upload.name}`} className="mt-1.5" />
      </div>
      <span className="text-dense text-muted-foreground tabular-nums">{Math.round(upload.percent)}%</span>
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}

function columnsOf({ variables }: AudienceFill): SampleColumn[] {
  return variables.map(({ column, sample }) => ({ name: column, sample }))
}

function countryOf(audience: Audience | undefined): string {
  return audience?.mapping?.defaultCountry ?? 'IN'
}
