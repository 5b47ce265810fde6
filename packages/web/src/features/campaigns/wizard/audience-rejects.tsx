import type { Audience, RejectReason } from '@carillon/contract/audience'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { countOf, formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'

const words: Record<RejectReason, string> = {
  empty: 'No number in this row',
  not_a_number: 'Not a phone number',
  too_short: 'Too short',
  too_long: 'Too long',
  invalid_country: 'Unknown country code',
  impossible: 'No such number in its country',
  scientific_notation: 'Rounded by the spreadsheet, digits are lost',
  landline: 'Landline, cannot receive SMS',
  service_number: 'Toll-free or service number, cannot receive SMS',
  duplicate: 'Duplicate',
  opted_out: 'This person opted out',
}

const few = 4

/** The rows that were left out, each with its reason; all of them as a file. */
export function AudienceRejects({ audience }: { audience: Audience }) {
  const [isAll, setAll] = useState(false)
  const [isLoading, setLoading] = useState(false)
  const { sampleErrors, invalid, duplicate, suppressed } = audience
  if (sampleErrors.length === 0) return null
  const left = invalid + duplicate + suppressed
  const shown = isAll ? sampleErrors : sampleErrors.slice(0, few)

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
    <section aria-labelledby="rejects-title">
      <div className="mb-1 flex min-h-8 items-center gap-2">
        <h2 id="rejects-title" className="text-section font-semibold">
          {countOf(left, 'row')} left out
        </h2>
        <p className="flex-1 text-dense text-muted-foreground">They cost nothing</p>
        {audience.hasRejects ? (
          <Button size="tool" variant="ghost" loading={isLoading} onClick={() => void downloadAll()}>
            <Download aria-hidden /> Download
          </Button>
        ) : null}
      </div>
      <table className="w-full table-fixed border-y border-border tabular-nums">
        <thead className="text-left text-caption text-muted-foreground">
          <tr className="h-8 border-b border-border [&>th]:pr-3 [&>th]:font-medium">
            <th scope="col" className="w-20">
              Row
            </th>
            <th scope="col">In the file</th>
            <th scope="col">Problem</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={`${row.row}-${row.code}`}
              className="h-10 border-b border-line last:border-0 [&>td]:truncate [&>td]:pr-3"
            >
              <td className="text-muted-foreground">{formatCount(row.row)}</td>
              <td>
                <span className="font-mono text-dense tracking-normal text-danger-text underline decoration-destructive/70 decoration-wavy underline-offset-3">
                  {row.value || '(empty)'}
                </span>
              </td>
              <td title={row.message}>{row.message || words[row.code]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sampleErrors.length > few ? (
        <Button size="tool" variant="ghost" className="mt-1 -ml-2" onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer' : `Show ${formatCount(sampleErrors.length - few)} more`}
        </Button>
      ) : null}
    </section>
  )
}
