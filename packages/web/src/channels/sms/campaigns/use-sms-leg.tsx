import type { Estimate } from '@carillon/contract/campaign-drafts'
import type { VariableSource } from '@carillon/contract/campaign-records'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import type { SmsTemplate } from '@carillon/contract/channels/sms/sms-templates'
import { countOf, formatCount } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import type { Leg, LegInput, SummaryFact } from '../../channel-campaigns.ts'
import { SourceList } from '../../parts/source-list.tsx'
import { useLinkExamples } from '../../parts/use-link-examples.ts'
import { usePreselected } from '../../parts/use-preselected.ts'
import { isUnset, withSource } from '../../parts/variable-sources.ts'
import { categoryLabels, senderName } from '../sender-name.ts'
import { smsCheckAction, trimmed } from './sms-check-action.tsx'
import { smsMessageOf, smsRowFacts } from './sms-leg-message.ts'
import { SmsTemplateStep } from './sms-template-step.tsx'
import { emptyValues, matchVariables, variablesOf } from './sms-values.ts'
import { smsVariableRows } from './sms-variable-rows.ts'

/** An SMS leg: account, template and sources of the variables. */
export function useSmsLeg({ leg, isFirst, columns, preselected, onChange }: LegInput): Leg {
  const template = useTemplate(leg.isEnabled ? leg.templateId : null)
  const elsewhere = useTemplate(leg.templateId ? undefined : preselected)
  const sources = variablesOf(leg)
  const withExample = useLinkExamples(sources)
  const variables = template?.variables ?? []
  const count = variables.length
  const setSources = (next: readonly VariableSource[]) => onChange({ values: { variables: next } })

  function choose(chosen: SmsTemplate) {
    if (chosen._id === leg.templateId) return
    const values = { variables: matchVariables(chosen, columns) }
    onChange({ senderId: chosen.smsAccountId, templateId: chosen._id, values }, { now: true })
  }
  usePreselected(elsewhere, choose)

  return {
    template,
    unset: variables.filter((_, index) => isUnset(sources[index])).length,
    consent: template === undefined || template.category === 'promotional' ? consent : undefined,
    variables: variables.map(({ name, sample }, index) => ({
      label: name,
      column: name,
      sample,
      source: sources[index],
    })),
    usedColumns: usedColumns(variables, sources),
    withSources: (changes) => ({
      variables: changes.reduce((next, change) => withSource(next, { ...change, count }), sources),
    }),
    matched: (found) => (template ? { variables: matchVariables(template, found, sources) } : leg.values),
    message: (recipient) => smsMessageOf({ template, sources: sources.map(withExample) }, recipient),
    outlined: (focusedVariable) => ({ focusedVariable }),
    rowFacts: (shown) => (template ? smsRowFacts(shown) : undefined),
    facts: (estimate) => factsOf({ template, sources, estimate }),
    templateStep: (_, part) => (
      <SmsTemplateStep
        part={part}
        accountId={leg.senderId}
        templateId={leg.templateId}
        onAccount={(senderId) => {
          if (senderId !== leg.senderId) onChange({ senderId, templateId: null, values: emptyValues })
        }}
        onTemplate={choose}
      />
    ),
    valuesStep: ({ audience, onFocus }) =>
      template && count > 0 ? (
        <SourceList
          title={isFirst ? 'Variables' : 'SMS variables'}
          audience={audience}
          variables={smsVariableRows(template)}
          sources={sources}
          onSource={(index, source) => setSources(withSource(sources, { index, source, count }))}
          onFocus={onFocus}
        />
      ) : undefined,
    checkAction: (check, tools) =>
      template && smsCheckAction(check, { ...tools, onTrim: () => setSources(trimmed(template, sources)) }),
    request: (draft) => requestOf(draft, sources),
  }
}

const consent = {
  label: 'These people agreed to promotional SMS from your business',
  help: 'Operators drop promotional SMS to do-not-disturb numbers. Service templates reach them.',
}

function useTemplate(id: string | null | undefined): SmsTemplate | undefined {
  const query = useApi('smsTemplates.get', { path: { id: id ?? '' } }, { enabled: Boolean(id), staleTime: 60_000 })
  return id ? query.data : undefined
}

function usedColumns(
  variables: SmsTemplate['variables'],
  sources: readonly VariableSource[],
): ReadonlyMap<number, string> {
  return new Map(
    sources.flatMap(({ column }, index): [number, string][] =>
      column === undefined ? [] : [[column, variables[index]?.name ?? `variable ${index + 1}`]],
    ),
  )
}

type Reviewed = {
  template: SmsTemplate | undefined
  sources: readonly VariableSource[]
  estimate: Estimate | undefined
}

function factsOf({ template, sources, estimate }: Reviewed): SummaryFact[] {
  const names = template?.variables.map(({ name }) => name).join(', ')
  const fallbacks = sources.filter(({ column, fallback }) => column !== undefined && fallback !== '').length
  const missing = estimate?.missing ?? 0
  return [
    {
      label: 'Sender',
      value: template && <span className="font-mono">{template.header}</span>,
      note: template && `as ${senderName(template.header, template.category)}`,
      step: 'template',
    },
    { label: 'Template', value: template?.name, note: template && categoryLabels[template.category], step: 'template' },
    {
      label: 'Personalised',
      value: template && (names || 'Same text for everyone'),
      note:
        missing > 0 ? `${formatCount(missing)} skipped` : fallbacks > 0 ? countOf(fallbacks, 'fallback') : undefined,
      step: 'personalise',
    },
  ]
}

function requestOf(draft: CampaignDraft, variables: readonly VariableSource[]): ReturnType<Leg['request']> {
  const { campaignName, schedule, skipRecent, frequencyCap, legs } = draft
  const [{ senderId, templateId }] = legs
  const rules = { ...(skipRecent ? { skipRecent } : {}), ...(frequencyCap === 'ignore' ? { frequencyCap } : {}) }
  return {
    call: 'smsCampaigns.create',
    body: { campaignName, smsAccountId: senderId, templateId, variables, schedule, ...rules },
  }
}
