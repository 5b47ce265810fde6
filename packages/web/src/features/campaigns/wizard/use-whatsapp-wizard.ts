import type { Audience } from '@carillon/contract/audience'
import type { SmsTemplate } from '@carillon/contract/templates'
import type { WhatsappNumber } from '@carillon/contract/whatsapp'
import type { SavedWhatsappDraft, WhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import type { WhatsappTemplate } from '@carillon/contract/whatsapp-templates'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWabas } from '../../../channels/whatsapp/use-wabas.ts'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { matchVariables } from './draft-state.ts'
import { isUnderWay, useAudience } from './use-audience.ts'
import { useDraft, type DraftHandle } from './use-draft.ts'
import { firstConditions, openFailover, openWhatsappPoints } from './whatsapp-draft-state.ts'
import { whatsappDrafts } from './whatsapp-drafts.ts'
import { emptyValues, matchValues } from './whatsapp-slots.ts'

type UseWhatsappWizard = {
  saved: SavedWhatsappDraft | undefined
  templateId: string | undefined
  onCreated: (id: string) => void
}

/** Everything the steps of the WhatsApp wizard share: the draft, what it names, what it costs and whose phone is shown. */
export function useWhatsappWizard({ saved, templateId, onCreated }: UseWhatsappWizard) {
  const handle = useDraft<WhatsappDraft>({ store: whatsappDrafts, saved, onCreated })
  const { draft } = handle
  const [seq, setSeq] = useState(0)
  const [mediaUrls, setMediaUrls] = useState<Readonly<Record<string, string>>>({})
  const { wabas } = useWabas()
  const template = useTemplate(draft.templateId)
  const smsTemplate = useSmsTemplate(draft.smsFailover ? draft.smsTemplate : null)
  const audienceHandle = useAudience(draft.audienceId, takeAudience)
  const { audience } = audienceHandle
  const number = wabas.flatMap(({ numbers }) => numbers).find(({ _id }) => _id === draft.numberId)
  const choose = useChoices(handle, audience)

  useChosenElsewhere({
    templateId: saved ? undefined : templateId,
    isFree: draft.templateId === null,
    choose: choose.template,
  })
  useColumnNames({ handle, template, smsTemplate, audience, savedFor: saved?.audienceId })
  const counts = useCounts({ handle, smsTemplate, audience })

  function takeAudience(created: Audience) {
    setSeq(0)
    handle.change({ audienceId: created._id })
    void handle.flush().catch(() => undefined)
  }

  return {
    handle,
    wabas,
    number,
    template,
    smsTemplate,
    audience,
    audienceHandle,
    ...counts,
    /** The first rows of the file; the phone walks through them. */
    rows: audience?.status === 'ready' ? audience.sample : [],
    seq,
    setSeq,
    mediaUrls,
    rememberMedia: (mediaId: string, url: string) => setMediaUrls((known) => ({ ...known, [mediaId]: url })),
    choose,
    open: openWhatsappPoints(draft, { template, smsTemplate, estimate: counts.counted }),
  }
}

export type WhatsappWizardState = ReturnType<typeof useWhatsappWizard>

function useTemplate(id: string | null) {
  const query = useApi('waTemplates.get', { path: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 })
  return id ? query.data : undefined
}

function useSmsTemplate(id: string | null) {
  const query = useApi('smsTemplates.get', { path: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 })
  return id ? query.data : undefined
}

/** What choosing one thing does to the others. */
function useChoices(handle: DraftHandle<WhatsappDraft>, audience: Audience | undefined) {
  const { draft, change } = handle
  const columns = audience?.columns ?? []
  const flush = () => void handle.flush().catch(() => undefined)

  return {
    number({ _id, waba_id }: Pick<WhatsappNumber, '_id' | 'waba_id'>) {
      if (_id === draft.numberId) return
      const isOther = draft.waba_id !== null && waba_id !== draft.waba_id
      change({ waba_id, numberId: _id, ...(isOther ? { templateId: null, values: emptyValues } : {}) })
      flush()
    },
    template(chosen: WhatsappTemplate, number?: Pick<WhatsappNumber, '_id'>) {
      if (chosen._id === draft.templateId) return
      change({
        waba_id: chosen.waba_id,
        templateId: chosen._id,
        values: matchValues(chosen, columns),
        ...(number ? { numberId: number._id } : {}),
      })
      flush()
    },
    failover(smsFailover: boolean) {
      const isFirst = smsFailover && draft.smsFailoverConditions.length === 0
      change({ smsFailover, ...(isFirst ? { smsFailoverConditions: [...firstConditions] } : {}) })
      flush()
    },
    smsAccount(smsAccountId: string) {
      if (smsAccountId !== draft.smsAccountId) change({ smsAccountId, smsTemplate: null, smsCustomParams: [] })
    },
    smsTemplate(chosen: SmsTemplate) {
      if (chosen._id === draft.smsTemplate) return
      change({
        smsAccountId: chosen.smsAccountId,
        smsTemplate: chosen._id,
        smsCustomParams: matchVariables(chosen, columns),
      })
      flush()
    },
  }
}

export type WhatsappChoices = ReturnType<typeof useChoices>

type Elsewhere = { templateId: string | undefined; isFree: boolean; choose: WhatsappChoices['template'] }

/** Takes over a template that was chosen in the library, once it is loaded. */
function useChosenElsewhere({ templateId, isFree, choose }: Elsewhere) {
  const isTaken = useRef(false)
  const { wabas } = useWabas()
  const { data } = useApi(
    'waTemplates.get',
    { path: { id: templateId ?? '' } },
    { enabled: templateId !== undefined && isFree },
  )
  useEffect(() => {
    if (!data || wabas.length === 0 || isTaken.current || !isFree || !templateId) return
    isTaken.current = true
    choose(data, wabas.find(({ waba_id }) => waba_id === data.waba_id)?.numbers[0])
  })
}

type ColumnNames = {
  handle: DraftHandle<WhatsappDraft>
  template: WhatsappTemplate | undefined
  smsTemplate: SmsTemplate | undefined
  audience: Audience | undefined
  /** The audience whose columns the saved values already name. */
  savedFor: string | null | undefined
}

/** The columns of a file are known a moment after it came in; then each variable looks for the column with its name. */
function useColumnNames({ handle, template, smsTemplate, audience, savedFor }: ColumnNames) {
  const matched = useRef(savedFor)
  useEffect(() => {
    if (!template || !audience || audience.columns.length === 0 || matched.current === audience._id) return
    matched.current = audience._id
    const { values, smsCustomParams } = handle.draft
    const next = {
      values: matchValues(template, audience.columns, values),
      smsCustomParams: smsTemplate ? matchVariables(smsTemplate, audience.columns, smsCustomParams) : smsCustomParams,
    }
    if (JSON.stringify(next) !== JSON.stringify({ values, smsCustomParams })) handle.change(next)
  }, [handle, template, smsTemplate, audience])
}

type Counts = {
  handle: DraftHandle<WhatsappDraft>
  smsTemplate: SmsTemplate | undefined
  audience: Audience | undefined
}

/** What the server counts on both channels; it works on what is saved, so nothing is asked before all is chosen there. */
function useCounts({ handle, smsTemplate, audience }: Counts) {
  const { id } = handle
  const queries = useQueryClient()
  const isReady = audience?.status === 'ready'
  const isWhole = isReady && isSaved(handle, smsTemplate)
  // Another column or country makes other people of the same file: what was counted of them before is not true any more.
  useEffect(() => {
    if (isReady) void refresh(queries, ['waDrafts.estimate'])
  }, [queries, isReady])
  const estimate = useApi('waDrafts.estimate', { path: { id: id ?? '' } }, { enabled: isWhole, keepPrevious: true })
  return {
    estimate,
    isWhole,
    counted: isWhole ? estimate.data : undefined,
    isCounting: estimate.isFetching || isUnderWay(audience),
  }
}

const counted = ['audienceId', 'templateId', 'numberId', 'smsFailover', 'smsTemplate', 'smsAccountId'] as const

/** Whether the server knows the people, the number and the texts that are chosen here. */
function isSaved({ id, draft, kept }: DraftHandle<WhatsappDraft>, smsTemplate: SmsTemplate | undefined): boolean {
  if (id === undefined || !kept || !draft.numberId || !draft.templateId || !draft.audienceId) return false
  const isFailoverWhole = !draft.smsFailover || (smsTemplate !== undefined && openFailover(draft, undefined) === 0)
  const hasConditions = !kept.smsFailover || kept.smsFailoverConditions.length > 0
  return isFailoverWhole && hasConditions && counted.every((key) => kept[key] === draft[key])
}
