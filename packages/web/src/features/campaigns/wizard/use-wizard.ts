import type { Audience } from '@carillon/contract/audience'
import type { CampaignDraft } from '@carillon/contract/campaign-records'
import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { SmsTemplate } from '@carillon/contract/templates'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { matchVariables, openPoints } from './draft-state.ts'
import { smsDrafts } from './sms-drafts.ts'
import { isUnderWay, useAudience } from './use-audience.ts'
import { useDraft, type DraftHandle } from './use-draft.ts'
import { usePreview } from './use-preview.ts'

type UseWizard = { saved: SavedDraft | undefined; templateId: string | undefined; onCreated: (id: string) => void }

/** Everything the steps of the wizard share: the draft, what it names, what it costs and whose phone is shown. */
export function useWizard({ saved, templateId, onCreated }: UseWizard) {
  const handle = useDraft({ store: smsDrafts, saved, onCreated })
  const { draft } = handle
  const [seq, setSeq] = useState(0)

  const templateQuery = useApi(
    'smsTemplates.get',
    { path: { id: draft.templateId ?? '' } },
    { enabled: draft.templateId !== null, staleTime: 60_000 },
  )
  const template = draft.templateId ? templateQuery.data : undefined
  const audienceHandle = useAudience(draft.audienceId, takeAudience)
  const { audience } = audienceHandle

  useChosenElsewhere({
    templateId: saved ? undefined : templateId,
    isFree: draft.templateId === null,
    choose: chooseTemplate,
  })
  useColumnNames({ handle, template, audience, savedFor: saved?.audienceId })
  const counts = useCounts({ handle, template, audience, seq })

  function takeAudience(created: Audience) {
    setSeq(0)
    handle.change({ audienceId: created._id })
    void handle.flush().catch(() => undefined)
  }

  function chooseAccount(smsAccountId: string) {
    if (smsAccountId === draft.smsAccountId) return
    handle.change({ smsAccountId, templateId: null, variables: [] })
  }

  function chooseTemplate(chosen: SmsTemplate) {
    if (chosen._id === draft.templateId) return
    handle.change({
      smsAccountId: chosen.smsAccountId,
      templateId: chosen._id,
      variables: matchVariables(chosen, audience?.columns ?? []),
    })
    void handle.flush().catch(() => undefined)
  }

  return {
    handle,
    template,
    audience,
    audienceHandle,
    ...counts,
    seq,
    setSeq,
    chooseAccount,
    chooseTemplate,
    open: openPoints(draft, counts.counted),
  }
}

export type Wizard = ReturnType<typeof useWizard>

type Elsewhere = { templateId: string | undefined; isFree: boolean; choose: (template: SmsTemplate) => void }

/** Takes over a template that was chosen in the library, once it is loaded. */
function useChosenElsewhere({ templateId, isFree, choose }: Elsewhere) {
  const isTaken = useRef(false)
  const { data } = useApi(
    'smsTemplates.get',
    { path: { id: templateId ?? '' } },
    { enabled: templateId !== undefined && isFree },
  )
  useEffect(() => {
    if (!data || isTaken.current || !isFree || !templateId) return
    isTaken.current = true
    choose(data)
  })
}

type ColumnNames = {
  handle: DraftHandle<CampaignDraft>
  template: SmsTemplate | undefined
  audience: Audience | undefined
  /** The audience whose columns the saved sources already name. */
  savedFor: string | null | undefined
}

/** The columns of a file are known a moment after it came in; then each variable looks for the column with its name. */
function useColumnNames({ handle, template, audience, savedFor }: ColumnNames) {
  const matched = useRef(savedFor)
  useEffect(() => {
    if (!template || !audience || audience.columns.length === 0 || matched.current === audience._id) return
    matched.current = audience._id
    const variables = matchVariables(template, audience.columns, handle.draft.variables)
    if (JSON.stringify(variables) !== JSON.stringify(handle.draft.variables)) handle.change({ variables })
  }, [handle, template, audience])
}

type Counts = {
  handle: DraftHandle<CampaignDraft>
  template: SmsTemplate | undefined
  audience: Audience | undefined
  seq: number
}

/** What the server counts and fills in; it works on what is saved, so nothing is asked before the first save. */
function useCounts({ handle, template, audience, seq }: Counts) {
  const { id } = handle
  const queries = useQueryClient()
  const isReady = audience?.status === 'ready'
  const people = isReady ? audience.accepted : 0
  const isWhole = isSaved(handle) && template !== undefined && isReady
  // Another column or country makes other people of the same file: what was read of them before is not true any more.
  useEffect(() => {
    if (isReady) void refresh(queries, ['drafts.estimate', 'drafts.preview'])
  }, [queries, isReady])
  const estimate = useApi('drafts.estimate', { path: { id: id ?? '' } }, { enabled: isWhole, keepPrevious: true })
  const preview = usePreview({ id, seq, total: people, enabled: isWhole })
  return {
    estimate,
    counted: isWhole ? estimate.data : undefined,
    isCounting: estimate.isFetching || isUnderWay(audience),
    preview: preview?.data,
    previewError: preview?.error,
  }
}

/** Whether the server knows the people and the text that are chosen here. */
function isSaved({ id, draft, kept }: DraftHandle<CampaignDraft>): boolean {
  const isKept = kept?.templateId === draft.templateId && kept.audienceId === draft.audienceId
  return id !== undefined && draft.smsAccountId !== null && isKept
}
