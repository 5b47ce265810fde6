import type { Audience, RejectReason } from '@carillon/contract/audience'
import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { Check, Download } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import { RejectFix } from './reject-fix.tsx'
import { fewRows, rejectRows, type RejectRow } from './reject-rows.ts'
import type { CorrectionsHandle } from './use-corrections.ts'

/** The tooltip, if the text is too long for the column. */
function shortReason(code: RejectReason, channel: Channel): string | undefined {
  const { label } = channelTraits[channel]
  const words: Partial<Record<RejectReason, string>> = {
    empty: 'No number in this row',
    scientific_notation: 'Shortened by the spreadsheet',
    landline: `Landline, cannot get ${label}`,
    service_number: `Service number, cannot get ${label}`,
  }
  return words[code]
}

const few = 4

export type AudienceRejectsProps = { audience: Audience; channel: Channel; corrections: CorrectionsHandle }

/** The rejected rows, each with its reason and possible fix; all of them as a file. */
export function AudienceRejects({ audience, channel, corrections }: AudienceRejectsProps) {
  const [isAll, setAll] = useState(false)
  const { section, onApplied } = useFocusAfterCheck(audience, corrections)
  const rows = rejectRows(audience)
  const shown = isAll ? rows : fewRows(rows, few)
  const hidden = rows.length - fewRows(rows, few).length
  const canCorrect = audience.status === 'ready' && audience.savedAs === undefined

  return (
    <section ref={section} aria-labelledby="rejects-title">
      <RejectsHead audience={audience} corrections={canCorrect ? corrections : undefined} />
      {corrections.error === undefined ? null : (
        <div className="mb-2">
          <Notice tone="bad">{corrections.error}</Notice>
        </div>
      )}
      <table className="w-full table-fixed border-y border-border tabular-nums max-md:block">
        <thead className="text-left text-caption text-muted-foreground max-md:sr-only">
          <tr className="h-8 border-b border-border [&>th]:pr-3 [&>th]:font-medium">
            <th scope="col" className="w-20 max-xl:hidden">
              Row
            </th>
            <th scope="col" className="w-1/4">
              Original value
            </th>
            <th scope="col">Problem</th>
            <th scope="col" className="w-50 pr-0! max-xl:w-44">
              Fix
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {shown.map((row) => (
            <Row key={row.row} row={row} channel={channel}>
              <RejectFix row={row} corrections={canCorrect ? corrections : undefined} onApplied={onApplied} />
            </Row>
          ))}
        </tbody>
      </table>
      {hidden > 0 ? (
        <Button size="tool" variant="ghost" className="mt-1 -ml-2 max-md:h-11" onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show ${formatCount(hidden)} more`}
        </Button>
      ) : null}
    </section>
  )
}

/** When a row is corrected its focused control disappears: moves the focus to the replacement. */
function useFocusAfterCheck(audience: Audience, { isPending }: CorrectionsHandle) {
  const section = useRef<HTMLElement>(null)
  const applied = useRef<number>(undefined)
  const checked = useRef(audience)
  useLayoutEffect(() => {
    const row = applied.current
    if (checked.current === audience) return
    checked.current = audience
    if (row === undefined || isPending(row)) return
    applied.current = undefined
    if (document.activeElement !== document.body) return
    const place =
      section.current?.querySelector<HTMLElement>(`[data-row="${row}"] :is(input, button)`) ??
      section.current?.querySelector<HTMLElement>('table input') ??
      section.current?.querySelector<HTMLElement>('button')
    place?.focus({ preventScroll: true })
  }, [audience, isPending])
  return { section, onApplied: (row: number) => (applied.current = row) }
}

type RejectsHeadProps = { audience: Audience; corrections: CorrectionsHandle | undefined }

function RejectsHead({ audience, corrections }: RejectsHeadProps) {
  const { invalid, duplicate, suppressed, fixable } = audience
  const { automatic, automaticRows } = audience.corrections
  const [isLoading, setLoading] = useState(false)
  const left = invalid + duplicate + suppressed

  async function downloadAll() {
    setLoading(true)
    try {
      const blob = await call('audience.rejects', { path: { id: audience._id } })
      await download(blob, `${audience.fileName.replace(/\.\w+$/, '') || 'numbers'}-left-out.csv`)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      toast.error(error instanceof CallError ? error.message : 'Failed to download report')
    } finally {
      setLoading(false)
    }
  }

  return (
    <div className="mb-1 flex min-h-8 flex-wrap items-center gap-2 max-md:mb-2">
      <h2 id="rejects-title" className="text-section font-semibold whitespace-nowrap max-md:flex-1">
        {left > 0 ? `${countOf(left, 'row')} left out` : 'No rows left out'}
      </h2>
      <p className="flex-1 text-dense whitespace-nowrap text-muted-foreground max-md:flex-none" role="status">
        {corrections?.isBusy
          ? `Checking, ${countOf(corrections.processed, 'row')} so far`
          : corrections && invalid > 0
            ? 'Skipped unless fixed'
            : 'They cost nothing'}
      </p>
      <span className="flex items-center gap-2 empty:hidden max-md:w-full max-md:*:h-11 max-md:*:flex-1">
        {audience.hasRejects ? (
          <Button size="tool" variant="ghost" loading={isLoading} onClick={() => void downloadAll()}>
            <Download aria-hidden /> Download
          </Button>
        ) : null}
        {corrections && (automaticRows > 0 || fixable > 0) ? (
          <Button size="tool" loading={corrections.isBusy} onClick={() => corrections.setAutomatic(!automatic)}>
            {automatic
              ? `Undo ${countOf(automaticRows, 'automatic fix', 'automatic fixes')}`
              : `Fix ${formatCount(fixable)} automatically`}
          </Button>
        ) : null}
      </span>
    </div>
  )
}

type RowProps = { row: RejectRow; channel: Channel; children: ReactNode }

function Row({ row: { row, value, reject, correction }, channel, children }: RowProps) {
  return (
    <tr
      data-row={row}
      className="h-10 border-b border-line last:border-0 max-md:grid max-md:h-auto max-md:min-h-14 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:py-1.5 [&>td]:pr-3 max-md:[&>td]:h-auto! max-md:[&>td]:pr-0"
    >
      <td className="text-muted-foreground max-xl:hidden">{formatCount(row)}</td>
      <td className="truncate max-md:self-end">
        <span
          className={
            reject
              ? 'font-mono text-dense tracking-normal text-danger-text underline decoration-destructive/70 decoration-wavy underline-offset-3'
              : 'font-mono text-dense tracking-normal text-muted-foreground'
          }
        >
          {value || '(empty)'}
        </span>
      </td>
      {reject ? (
        <td
          className="truncate max-md:row-start-2 max-md:self-start max-md:text-dense max-md:text-muted-foreground"
          title={reject.message}
        >
          {shortReason(reject.code, channel) ?? reject.message}
        </td>
      ) : (
        <td className="truncate text-success-text max-md:row-start-2 max-md:self-start max-md:text-dense">
          <Check aria-hidden className="mr-1 inline size-4" />
          {correction?.automatic ? 'Fixed automatically' : 'Fixed'}
        </td>
      )}
      <td className="py-1.5 pr-0! max-md:col-start-2 max-md:row-span-2 max-md:row-start-1">{children}</td>
    </tr>
  )
}
