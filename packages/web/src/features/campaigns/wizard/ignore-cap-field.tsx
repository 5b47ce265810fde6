import { useApi } from '../../../lib/use-api.ts'
import { countOf } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { WizardState } from './use-wizard.ts'

/** Whether a campaign without marketing messages is also sent to people who have reached the organisation's limit, if it has one. */
export function IgnoreCapField({ wizard: { handle, first, failover, test } }: { wizard: WizardState }) {
  const rules = useApi('sendingRules.get', {}, { staleTime: 60_000 })
  const { frequencyCap } = handle.draft
  const cap = rules.data?.frequencyCap
  const isMarketing =
    [first, ...test.variants.map(({ leg }) => leg)].some(({ consent }) => consent !== undefined) ||
    failover?.legs.some(({ chosen, leg }) => chosen.isEnabled && leg.consent !== undefined)
  const isIgnored = frequencyCap === 'ignore'
  if (!isIgnored && (!cap || isMarketing)) return null
  const limit = cap && `${countOf(cap.messages, 'marketing campaign')} in ${countOf(cap.days, 'day')}`
  return (
    <div className="mt-3 border-t border-line pt-3">
      <Checkbox
        label="Send to people who have reached the limit, too"
        help={limit ? `Your organisation sends a person at most ${limit}.` : 'Your organisation has no limit now.'}
        checked={isIgnored}
        onChange={(event) => handle.changeNow({ frequencyCap: event.target.checked ? 'ignore' : 'respect' })}
      />
    </div>
  )
}
