import type { AbMetric } from '@carillon/contract/ab-tests'
import type { Audience } from '@carillon/contract/audience'
import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft, DraftLeg } from '@carillon/contract/draft-legs'
import { call } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { isSameTest, metricProblem } from '../ab-tests/ab-draft.ts'
import { useVariants, type WizardTest } from '../ab-tests/use-variants.ts'
import { personName } from './person-name.ts'
import { isUnderWay } from './use-audience.ts'
import { useDraftAudience } from './use-draft-audience.ts'
import { useDraft, type DraftHandle } from './use-draft.ts'
import { useLegs, type EditedChannels, type Failover, type PreselectedTemplates, type WizardLeg } from './use-legs.ts'
import { useMatchedColumns } from './use-matched-columns.ts'
import { useWalk } from './use-walk.ts'
import { judgedSteps, openFailover, type WizardKind } from './wizard-steps.ts'

type UseWizard = {
  kind: WizardKind
  edited: EditedChannels
  saved: SavedDraft | undefined
  blank: () => CampaignDraft
  preselected: PreselectedTemplates
  onCreated: (id: string) => void
}

/** Shared state of the wizard: draft, legs, cost, and shown recipient. */
export function useWizard({ kind, edited, saved, blank, preselected, onCreated }: UseWizard) {
  const handle = useDraft({ blank, saved, onCreated })
  const { draft } = handle
  const people = useDraftAudience(handle, draft.legs[0].channel)
  const { audience, columns, isReady, isUnreadable } = people
  const { channels, first, legs, failover } = useLegs({ handle, edited, columns, preselected })
  const test = useVariants({ handle, edited, columns })
  useMatchedColumns({
    handle,
    audience,
    savedFor: saved?.audienceId,
    match: first.template && ((found) => matchedMessages(handle, { legs, test, columns: found })),
  })

  const problemOf = (metric: AbMetric) => metricProblem(metric, comparedOf({ legs, test }))
  const isWhole = isReady && first.template !== undefined && isSaved(handle, failover) && isTestSaved(handle, test)
  const counts = useCounts({ handle, audience, isWhole })
  const shown = useRecipient({ handle, people, isWhole, previewedBy: channels.first.editor.previewedBy })
  const open = kind.openPoints(draft, {
    isUnreadable,
    unset: legs.map(({ leg }) => leg.unset),
    unsetOfTest: test.variants.map(({ leg }) => leg.unset),
    isMetricWrong: test.test !== null && problemOf(test.test.metric) !== undefined,
    estimate: counts.counted,
  })
  const { recipient } = shown
  return {
    kind,
    channels,
    handle,
    first,
    legs,
    failover,
    test,
    /** Why the messages of the test cannot be compared by a metric. */
    problemOf,
    ...people,
    ...counts,
    ...shown,
    /** The recipient shown on the phone. */
    recipientName: recipient && personName({ columns }, recipient.values, recipient.phoneNumber),
    isWhole,
    steps: {
      ids: kind.ids,
      labels: kind.labels,
      open,
      judged: judgedSteps(open, {
        hasFailover: failover?.legs.some(({ chosen }) => chosen.isEnabled) ?? false,
        hasTemplates: [...legs, ...test.variants].every(({ leg }) => leg.template !== undefined),
      }),
    },
  }
}

export type WizardState = ReturnType<typeof useWizard>

type Messages = { legs: readonly WizardLeg[]; test: WizardTest }

/** The messages that the test compares. */
function comparedOf({ legs, test: { variants } }: Messages) {
  return [...legs.slice(0, 1), ...variants].map(({ channel, leg }) => ({ channel, variables: leg.variables }))
}

type Matched = Messages & { columns: readonly string[] }

function matchedMessages(
  { draft }: DraftHandle,
  { legs, test, columns }: Matched,
): Pick<CampaignDraft, 'legs' | 'abTest'> {
  const [own, ...others] = draft.legs
  const matched = (leg: DraftLeg): DraftLeg => {
    const found = legs.find((one) => one.channel === leg.channel)?.leg
    return found?.template ? { ...leg, values: found.matched(columns) } : leg
  }
  const variants = draft.abTest?.variants.map((leg, index) => {
    const found = test.variants.find(({ variant }) => variant === index + 1)?.leg
    return found?.template ? { ...leg, values: found.matched(columns) } : leg
  })
  return {
    legs: [matched(own), ...others.map(matched)],
    abTest: draft.abTest && variants ? { ...draft.abTest, variants } : draft.abTest,
  }
}

type Counts = { handle: DraftHandle; audience: Audience | undefined; isWhole: boolean }

/** The server's estimate; it uses the saved draft, so it is requested only once that is complete. */
function useCounts({ handle, audience, isWhole }: Counts) {
  const estimate = useApi(
    'drafts.estimate',
    { path: { id: handle.id ?? '' } },
    { enabled: isWhole, keepPrevious: true },
  )
  return {
    estimate,
    counted: isWhole ? estimate.data : undefined,
    isCounting: estimate.isFetching || isUnderWay(audience),
  }
}

const readRow = (id: string, seq: number, signal: AbortSignal) =>
  call('audience.recipient', { path: { id, seq } }, { signal })
const readPreview = (id: string, seq: number, signal: AbortSignal) =>
  call('drafts.preview', { path: { id, seq } }, { signal })

type UseRecipient = {
  handle: DraftHandle
  people: ReturnType<typeof useDraftAudience>
  isWhole: boolean
  previewedBy: 'server' | 'browser'
}

/** The shown recipient; undefined without an audience, or before the server can render the message. */
function useRecipient({ handle, people: { audience, seq, isReady }, isWhole, previewedBy }: UseRecipient) {
  const total = audience?.accepted ?? 0
  const ofServer = previewedBy === 'server'
  const row = useWalk({
    name: 'audience.recipient',
    read: readRow,
    id: audience?._id,
    seq,
    total,
    enabled: isReady && !ofServer,
  })
  const preview = useWalk({
    name: 'drafts.preview',
    read: readPreview,
    id: handle.id,
    seq,
    total,
    enabled: isWhole && ofServer,
  })
  return { recipient: ofServer ? preview?.data : row?.data, previewError: preview?.error }
}

/** Inputs of the estimate. */
const countedKeys = ['channel', 'senderId', 'templateId', 'isEnabled'] as const

/** Whether audience, senders and templates on the server are those chosen here. */
function isSaved({ id, draft, kept }: DraftHandle, failover: Failover | undefined): boolean {
  if (id === undefined || !kept || !draft.audienceId || kept.audienceId !== draft.audienceId) return false
  const [{ senderId, templateId }] = draft.legs
  if (!senderId || !templateId || !isFailoverComplete(failover)) return false
  const hasConditions = kept.legs.slice(1).every((leg) => !leg.isEnabled || leg.entryConditions.length > 0)
  const isSame = draft.legs.every((leg, index) => countedKeys.every((key) => kept.legs[index]?.[key] === leg[key]))
  return hasConditions && isSame && kept.legs.length === draft.legs.length
}

/** Whether it can be estimated; values that are not set count as missing. */
function isFailoverComplete(failover: Failover | undefined): boolean {
  const enabled = failover?.legs.filter(({ chosen }) => chosen.isEnabled) ?? []
  return enabled.every(({ chosen, leg }) => leg.template !== undefined && openFailover(chosen, 0) === 0)
}

/** Whether the test on the server is the one chosen here, and its messages are complete. */
function isTestSaved({ draft, kept }: DraftHandle, { variants }: WizardTest): boolean {
  return isSameTest(kept?.abTest ?? null, draft.abTest) && variants.every(({ leg }) => leg.template !== undefined)
}
