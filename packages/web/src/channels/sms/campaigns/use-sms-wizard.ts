import type { Audience } from '@carillon/contract/audience'
import type { SavedSmsDraft } from '@carillon/contract/campaign-drafts'
import type { SmsDraft } from '@carillon/contract/channels/sms/sms-drafts'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { call } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { isUnderWay } from '../../../features/campaigns/wizard/use-audience.ts'
import { useDraftAudience } from '../../../features/campaigns/wizard/use-draft-audience.ts'
import { useDraft, type DraftHandle } from '../../../features/campaigns/wizard/use-draft.ts'
import { useMatchedColumns } from '../../../features/campaigns/wizard/use-matched-columns.ts'
import { usePreselected } from '../../parts/use-preselected.ts'
import { useWalk } from '../../../features/campaigns/wizard/use-walk.ts'
import type { WizardProps } from '../../../features/campaigns/wizard/wizard-page.tsx'
import { matchVariables, openSmsPoints, type SmsStep } from './sms-draft-state.ts'
import { smsDrafts } from './sms-drafts.ts'

type UseSmsWizard = Pick<WizardProps<SavedSmsDraft, SmsStep>, 'saved' | 'templateId' | 'onCreated'>

const countedBy = ['drafts.estimate', 'drafts.preview'] as const

/** Shared state of the SMS wizard: draft, referenced objects, cost, and shown recipient. */
export function useSmsWizard({ saved, templateId, onCreated }: UseSmsWizard) {
  const handle = useDraft({ store: smsDrafts, saved, onCreated })
  const { draft } = handle
  const people = useDraftAudience(handle, { channel: 'sms', counts: countedBy })
  const { audience, columns, seq } = people
  const template = useTemplate(draft.templateId)
  const choose = choicesOf(handle, columns)

  const elsewhere = useTemplate(draft.templateId ? undefined : templateId)
  usePreselected(elsewhere, choose.template)
  useMatchedColumns({
    handle,
    audience,
    savedFor: saved?.audienceId,
    match: template && ((found) => ({ variables: matchVariables(template, found, draft.variables) })),
  })
  const isWhole = people.isReady && template !== undefined && isSaved(handle)
  const counts = useCounts({ handle, audience, seq, isWhole })

  return {
    handle,
    template,
    ...people,
    ...counts,
    isWhole,
    choose,
    open: openSmsPoints(draft, { isUnreadable: people.isUnreadable, estimate: counts.counted }),
  }
}

export type SmsWizardState = ReturnType<typeof useSmsWizard>

function useTemplate(id: string | null | undefined): SmsTemplate | undefined {
  const query = useApi('smsTemplates.get', { path: { id: id ?? '' } }, { enabled: Boolean(id), staleTime: 60_000 })
  return id ? query.data : undefined
}

/** What choosing one thing does to the others. */
function choicesOf({ draft, change, changeNow }: DraftHandle<SmsDraft>, columns: readonly string[]) {
  return {
    account(smsAccountId: string) {
      if (smsAccountId !== draft.smsAccountId) change({ smsAccountId, templateId: null, variables: [] })
    },
    template(chosen: SmsTemplate) {
      if (chosen._id === draft.templateId) return
      changeNow({
        smsAccountId: chosen.smsAccountId,
        templateId: chosen._id,
        variables: matchVariables(chosen, columns),
      })
    },
  }
}

const readPreview = (id: string, seq: number, signal: AbortSignal) =>
  call('drafts.preview', { path: { id, seq } }, { signal })

type Counts = {
  handle: DraftHandle<SmsDraft>
  audience: Audience | undefined
  seq: number
  isWhole: boolean
}

/** Estimate and preview by the server; they use the saved draft, so they are requested only once it is complete. */
function useCounts({ handle, audience, seq, isWhole }: Counts) {
  const estimate = useApi(
    'drafts.estimate',
    { path: { id: handle.id ?? '' } },
    { enabled: isWhole, keepPrevious: true },
  )
  const preview = useWalk({
    name: 'drafts.preview',
    read: readPreview,
    id: handle.id,
    seq,
    total: audience?.accepted ?? 0,
    enabled: isWhole,
  })
  return {
    estimate,
    counted: isWhole ? estimate.data : undefined,
    isCounting: estimate.isFetching || isUnderWay(audience),
    preview: preview?.data,
    previewError: preview?.error,
  }
}

/** Whether the server knows the people and the text that are chosen here. */
function isSaved({ id, draft, kept }: DraftHandle<SmsDraft>): boolean {
  const isSaved = kept?.templateId === draft.templateId && kept.audienceId === draft.audienceId
  return id !== undefined && draft.smsAccountId !== null && isSaved
}
