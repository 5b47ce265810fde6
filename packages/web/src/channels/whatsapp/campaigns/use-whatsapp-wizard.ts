import type { Audience } from '@carillon/contract/audience'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import type { WhatsappNumber } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import type { SavedWhatsappDraft, WhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { useState } from 'react'
import { useWabas } from '../use-wabas.ts'
import { call } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { matchVariables } from '../../sms/campaigns/sms-draft-state.ts'
import { isUnderWay } from '../../../features/campaigns/wizard/use-audience.ts'
import { useDraftAudience } from '../../../features/campaigns/wizard/use-draft-audience.ts'
import { useDraft, type DraftHandle } from '../../../features/campaigns/wizard/use-draft.ts'
import { useMatchedColumns } from '../../../features/campaigns/wizard/use-matched-columns.ts'
import { usePreselected } from '../../parts/use-preselected.ts'
import { useWalk } from '../../../features/campaigns/wizard/use-walk.ts'
import type { WizardProps } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { firstConditions, openFailover, openWhatsappPoints, type WhatsappStep } from './whatsapp-draft-state.ts'
import { whatsappDrafts } from './whatsapp-drafts.ts'
import { emptyValues, matchValues } from './whatsapp-slots.ts'

type UseWhatsappWizard = Pick<WizardProps<SavedWhatsappDraft, WhatsappStep>, 'saved' | 'templateId' | 'onCreated'>

const countedBy = ['waDrafts.estimate', 'audience.recipient'] as const

/** Shared state of the WhatsApp wizard: draft, referenced objects, cost, and shown recipient. */
export function useWhatsappWizard({ saved, templateId, onCreated }: UseWhatsappWizard) {
  const handle = useDraft({ store: whatsappDrafts, saved, onCreated })
  const { draft } = handle
  const people = useDraftAudience(handle, { channel: 'whatsapp', counts: countedBy })
  const { audience, columns, seq, isReady, isUnreadable } = people
  const { wabas } = useWabas()
  const number = wabas.flatMap(({ numbers }) => numbers).find(({ _id }) => _id === draft.numberId)
  const template = useTemplate(draft.templateId)
  const smsTemplate = useSmsTemplate(draft.smsFailover ? draft.smsTemplate : null)
  const choose = choicesOf(handle, columns)

  const elsewhere = useTemplate(draft.templateId ? undefined : templateId)
  usePreselected(wabas.length > 0 ? elsewhere : undefined, (chosen) =>
    choose.template(chosen, wabas.find(({ waba_id }) => waba_id === chosen.waba_id)?.numbers[0]),
  )
  useMatchedColumns({
    handle,
    audience,
    savedFor: saved?.audienceId,
    match: template && ((found) => matchColumns(draft, { template, smsTemplate, columns: found })),
  })
  const isWhole = isReady && isSaved(handle, smsTemplate)
  const counts = useCounts({ handle, audience, isWhole })
  const person = useWalk({
    name: 'audience.recipient',
    read: readPerson,
    id: audience?._id,
    seq,
    total: audience?.accepted ?? 0,
    enabled: isReady,
  })
  const known = { isUnreadable, template, smsTemplate, estimate: counts.counted }

  return {
    handle,
    wabas,
    number,
    template,
    smsTemplate,
    ...people,
    /** The shown recipient; undefined before there is an audience. */
    person: person?.data,
    ...useSessionMedia(),
    ...counts,
    isWhole,
    choose,
    open: openWhatsappPoints(draft, known),
  }
}

export type WhatsappWizardState = ReturnType<typeof useWhatsappWizard>

function useTemplate(id: string | null | undefined): WhatsappTemplate | undefined {
  const query = useApi('waTemplates.get', { path: { id: id ?? '' } }, { enabled: Boolean(id), staleTime: 60_000 })
  return id ? query.data : undefined
}

function useSmsTemplate(id: string | null) {
  const query = useApi('smsTemplates.get', { path: { id: id ?? '' } }, { enabled: id !== null, staleTime: 60_000 })
  return id ? query.data : undefined
}

/** URLs of files uploaded in this session, by Meta's id. */
function useSessionMedia() {
  const [mediaUrls, setMediaUrls] = useState<Readonly<Record<string, string>>>({})
  const rememberMedia = (mediaId: string, url: string) => setMediaUrls((known) => ({ ...known, [mediaId]: url }))
  return { mediaUrls, rememberMedia }
}

/** What choosing one thing does to the others. */
function choicesOf({ draft, change, changeNow }: DraftHandle<WhatsappDraft>, columns: readonly string[]) {
  return {
    number({ _id, waba_id }: Pick<WhatsappNumber, '_id' | 'waba_id'>) {
      if (_id === draft.numberId) return
      const isOther = draft.waba_id !== null && waba_id !== draft.waba_id
      changeNow({ waba_id, numberId: _id, ...(isOther ? { templateId: null, values: emptyValues } : {}) })
    },
    template(chosen: WhatsappTemplate, number?: Pick<WhatsappNumber, '_id'>) {
      if (chosen._id === draft.templateId) return
      changeNow({
        waba_id: chosen.waba_id,
        templateId: chosen._id,
        values: matchValues(chosen, columns),
        ...(number ? { numberId: number._id } : {}),
      })
    },
    failover(smsFailover: boolean) {
      const isFirst = smsFailover && draft.smsFailoverConditions.length === 0
      changeNow({ smsFailover, ...(isFirst ? { smsFailoverConditions: [...firstConditions] } : {}) })
    },
    smsAccount(smsAccountId: string) {
      if (smsAccountId !== draft.smsAccountId) change({ smsAccountId, smsTemplate: null, smsCustomParams: [] })
    },
    smsTemplate(chosen: SmsTemplate) {
      if (chosen._id === draft.smsTemplate) return
      changeNow({
        smsAccountId: chosen.smsAccountId,
        smsTemplate: chosen._id,
        smsCustomParams: matchVariables(chosen, columns),
      })
    },
  }
}

const readPerson = (id: string, seq: number, signal: AbortSignal) =>
  call('audience.recipient', { path: { id, seq } }, { signal })

type Matching = { template: WhatsappTemplate; smsTemplate: SmsTemplate | undefined; columns: readonly string[] }

function matchColumns({ values, smsCustomParams }: WhatsappDraft, { template, smsTemplate, columns }: Matching) {
  return {
    values: matchValues(template, columns, values),
    smsCustomParams: smsTemplate ? matchVariables(smsTemplate, columns, smsCustomParams) : smsCustomParams,
  }
}

type Counts = { handle: DraftHandle<WhatsappDraft>; audience: Audience | undefined; isWhole: boolean }

/** Estimate by the server on both channels; it uses the saved draft, so it is requested only once complete. */
function useCounts({ handle, audience, isWhole }: Counts) {
  const estimate = useApi(
    'waDrafts.estimate',
    { path: { id: handle.id ?? '' } },
    { enabled: isWhole, keepPrevious: true },
  )
  return {
    estimate,
    counted: isWhole ? estimate.data : undefined,
    isCounting: estimate.isFetching || isUnderWay(audience),
  }
}

/** What the count is made of. */
const countedKeys = ['audienceId', 'templateId', 'numberId', 'smsFailover', 'smsTemplate', 'smsAccountId'] as const

/** Whether the server knows the people, the number and the texts that are chosen here. */
function isSaved({ id, draft, kept }: DraftHandle<WhatsappDraft>, smsTemplate: SmsTemplate | undefined): boolean {
  if (id === undefined || !kept || !draft.numberId || !draft.templateId || !draft.audienceId) return false
  const isFailoverWhole = !draft.smsFailover || (smsTemplate !== undefined && openFailover(draft, undefined) === 0)
  const hasConditions = !kept.smsFailover || kept.smsFailoverConditions.length > 0
  return isFailoverWhole && hasConditions && countedKeys.every((key) => kept[key] === draft[key])
}
