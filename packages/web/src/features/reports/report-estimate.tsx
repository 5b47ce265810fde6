import { factsOfType } from '@carillon/contract/report-file-records'
import clsx from 'clsx'
import { countOf, formatCalendarDays } from '../../lib/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { problemsOf, rangeOf, reportTypeOf } from './report-draft.ts'
import type { ReportForm } from './use-report-form.ts'

/** About how many rows the report would have. */
export function ReportEstimate({ form: { draft, estimate } }: { form: ReportForm }) {
  const { data, error, isPending, isOfOtherDraft } = estimate
  if (Object.keys(problemsOf(draft)).length > 0) return null
  if (isPending) return <Skeleton className="w-24" />
  if (error || !data) return <p className="text-dense text-muted-foreground">Rows not known</p>
  const { from } = rangeOf(draft)
  const isCut = data.detailsSince !== null && from < data.detailsSince
  return (
    <p
      role="status"
      aria-busy={isOfOtherDraft}
      className={clsx('min-w-0 text-dense text-muted-foreground', isOfOtherDraft && 'opacity-50')}
    >
      <b className="font-medium text-foreground tabular-nums">≈ {countOf(data.rows, 'row')}</b>
      {isCut && data.detailsSince
        ? ` · ${deletedText(factsOfType(reportTypeOf(draft)).deleted ?? 'Records', data.detailsSince)}`
        : null}
    </p>
  )
}

function deletedText(what: string, day: string): string {
  return `${what} before ${formatCalendarDays({ from: day, to: day })} are deleted and not included`
}
