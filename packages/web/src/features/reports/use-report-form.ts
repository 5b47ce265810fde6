import type { ReportFile } from '@carillon/contract/report-file-records'
import { useState } from 'react'
import type { CallData, CallError } from '../../lib/call.ts'
import { queries } from '../../lib/queries.ts'
import { fieldMessages, unplacedMessage, useApi, useApiWrite } from '../../lib/use-api.ts'
import { useFieldErrors } from '../../lib/use-field-errors.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { firstDraft, problemsOf, withFormat, rangeOf, requestOf, type ReportDraft } from './report-draft.ts'
import type { listQueryOf } from './reports-view.ts'

/** Fields of the form by the names that the server uses. */
const fields = ['type', 'from', 'to', 'channel', 'campaignId', 'format', 'detailedCampaignReport']

/** The form of a new report, with its errors and the estimate of its rows. */
export function useReportForm(onGenerated: (report: ReportFile) => void) {
  const [draft, setDraft] = useState(firstDraft)
  const { errors, setErrors } = useFieldErrors({ ...draft, ...rangeOf(draft), campaignId: draft.campaign?._id })
  const generate = useApiWrite('reportFiles.generate', {
    refreshes: ['reportFiles.list'],
    onSuccess: onGenerated,
    onError: (error) => setErrors(isCampaignGone(error) ? { campaignId: error.message } : fieldMessages(error)),
  })
  return {
    draft,
    change: (patch: Partial<ReportDraft>) => setDraft((current) => withFormat({ ...current, ...patch })),
    errors,
    refusal: isCampaignGone(generate.error) ? undefined : unplacedMessage(generate.error, fields),
    isPending: generate.isPending,
    estimate: useEstimate(draft),
    submit() {
      const problems = problemsOf(draft)
      setErrors(problems)
      if (Object.keys(problems).length === 0) generate.mutate(requestOf(draft))
    },
  }
}

/** The campaign is the only record that a request names. */
function isCampaignGone(error: CallError | null): error is CallError {
  return error?.code === 'not_found'
}

export type ReportForm = ReturnType<typeof useReportForm>

function useEstimate(draft: ReportDraft) {
  const settled = useSettled(draft, 300)
  const { path, body } = requestOf(settled)
  const { format: _, ...rest } = body
  const read = useApi(
    'reportFiles.estimate',
    { query: { ...path, ...rest } },
    { enabled: Object.keys(problemsOf(settled)).length === 0, keepPrevious: true, staleTime: 60_000 },
  )
  return { ...read, isOfOtherDraft: read.isPlaceholderData || settled !== draft }
}

/** Shows a new report in the list before it is read again. */
export function addToList(report: ReportFile, query: ReturnType<typeof listQueryOf>) {
  queries.setQueryData<CallData<'reportFiles.list'>>(['reportFiles.list', { query }], (list) =>
    list === undefined || list.reports.some(({ reportId }) => reportId === report.reportId)
      ? list
      : { ...list, reports: [report, ...list.reports], totalReports: list.totalReports + 1 },
  )
}
