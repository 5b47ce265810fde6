import type { VariableSource } from '@carillon/contract/campaign-records'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import type { BotChoice } from '@carillon/contract/channels/rcs/rcs-bots'
import { useApi } from '../../../lib/use-api.ts'
import type { Leg, LegInput } from '../../channel-campaigns.ts'
import { matchColumns } from '../../parts/match-columns.ts'
import { SourceList } from '../../parts/source-list.tsx'
import { useLinkExamples } from '../../parts/use-link-examples.ts'
import { usePreselected } from '../../parts/use-preselected.ts'
import { isUnset, withSource } from '../../parts/variable-sources.ts'
import { botOf, brandOf, useRcsBots } from '../use-bots.ts'
import { rcsCheckAction } from './rcs-check-action.tsx'
import { rcsFacts, rcsRequest, rcsRowFacts } from './rcs-facts.ts'
import { RcsTemplateStep } from './rcs-template-step.tsx'
import { emptyValues, filledMessage, firstUseOf, variablesOf } from './rcs-values.ts'

/** An RCS leg: bot, template and sources of the variables. */
export function useRcsLeg({ leg, isFirst, columns, preselected, onChange }: LegInput): Leg {
  const { bots } = useRcsBots()
  const bot = bots.find(({ _id }) => _id === leg.senderId)
  const template = useTemplate(leg.isEnabled ? leg.templateId : null)
  const names = template ? listRcsVariables(template) : []
  const sources = variablesOf(leg)
  const withExample = useLinkExamples(sources)
  const count = names.length
  const setSources = (variables: readonly VariableSource[]) => onChange({ values: { variables } })
  const choose = choicesOf({ leg, columns, onChange }, { bots, bot, template })

  const elsewhere = useTemplate(leg.templateId ? undefined : preselected)
  usePreselected(bots.length > 0 ? elsewhere : undefined, choose.template)

  return {
    template,
    unset: names.filter((_, index) => isUnset(sources[index])).length,
    consent: template === undefined || template.category === 'PROMOTION' ? consent : undefined,
    variables: names.map((name, index) => ({ label: name, column: name, sample: '', source: sources[index] })),
    usedColumns: new Map(
      names.flatMap((name, index): [number, string][] => {
        const column = sources[index]?.column
        return column === undefined ? [] : [[column, name]]
      }),
    ),
    withSources: (changes) => ({
      variables: changes.reduce((next, change) => withSource(next, { ...change, count }), sources),
    }),
    matched: (found) => (template ? { variables: matchColumns(names, found, sources) } : leg.values),
    message: (recipient) => {
      const brand = brandOf(bot ?? bots[0])
      if (!template) return { channel: 'rcs', ...brand, pieces: [] }
      return filledMessage(template, {
        names,
        sources: sources.map(withExample),
        columns,
        row: recipient?.values ?? 'names',
        brand,
      })
    },
    outlined: (focusedVariable) => ({
      focusedVariable,
      focusedPart: template && focusedVariable ? firstUseOf(template, focusedVariable)?.part : undefined,
    }),
    rowFacts: rcsRowFacts,
    facts: (estimate) => rcsFacts({ bot, template, names, estimate }),
    templateStep: (_, part) => (
      <RcsTemplateStep
        part={part}
        bots={bots}
        bot={bot}
        templateId={leg.templateId}
        onBot={choose.bot}
        onTemplate={choose.template}
      />
    ),
    valuesStep: ({ audience, onFocus }) =>
      template && count > 0 ? (
        <SourceList
          title={isFirst ? 'Variables' : 'RCS variables'}
          audience={audience}
          variables={names.map((name, index) => ({
            id: `rcs-${index}`,
            name,
            focus: name,
            caption: firstUseOf(template, name)?.label ?? '',
            sample: '',
            limit: longestValue,
          }))}
          sources={sources}
          onSource={(index, source) => setSources(withSource(sources, { index, source, count }))}
          onFocus={onFocus}
        />
      ) : undefined,
    checkAction: rcsCheckAction,
    request: (draft) => rcsRequest(draft, { bot, sources }),
  }
}

/** Values are trimmed to this many characters if the sender chooses so. */
const longestValue = 100

const consent = {
  label: 'These people agreed to promotional RCS from your business',
  help: 'Operators suspend bots that many people block or report as spam.',
}

function useTemplate(id: string | null | undefined): RcsTemplate | undefined {
  const query = useApi('rcsTemplates.get', { path: { id: id ?? '' } }, { enabled: Boolean(id), staleTime: 60_000 })
  return id ? query.data : undefined
}

type Chosen = { bots: readonly BotChoice[]; bot: BotChoice | undefined; template: RcsTemplate | undefined }

/** Effects of one choice on the other. A template belongs to its bot, or to any bot. */
function choicesOf(
  { leg, columns, onChange }: Pick<LegInput, 'leg' | 'columns' | 'onChange'>,
  { bots, bot, template }: Chosen,
) {
  return {
    bot({ _id, botId }: BotChoice) {
      if (_id === leg.senderId) return
      const isOther = template !== undefined && template.botId !== null && template.botId !== botId
      onChange({ senderId: _id, ...(isOther ? { templateId: null, values: emptyValues } : {}) }, { now: true })
    },
    template(chosen: RcsTemplate) {
      if (chosen._id === leg.templateId) return
      const owner = botOf(bots, chosen.botId) ?? bot ?? bots[0]
      const variables = matchColumns(listRcsVariables(chosen), columns)
      onChange(
        { templateId: chosen._id, values: { variables }, ...(owner ? { senderId: owner._id } : {}) },
        { now: true },
      )
    },
  }
}
