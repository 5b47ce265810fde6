import type { Estimate } from '@carillon/contract/campaign-drafts'
import { channelTraits } from '@carillon/contract/channels/table'
import { Fragment } from 'react'
import { countOf, formatCount, formatMoney } from '../../../lib/format.ts'
import { peopleToSend } from '../dialogs/recipients-to-send.ts'
import { CountryLines } from '../wizard/country-lines.tsx'
import { branchCosts } from './branch-costs.ts'

type CostBreakdownProps = {
  estimate: Estimate
  /** The billed unit. */
  note: string | undefined
}

/** Cost of each channel, from no failover to failover of all recipients. */
export function CostBreakdown({ estimate, note }: CostBreakdownProps) {
  const people = peopleToSend(estimate)
  const { least, later, most } = branchCosts(estimate)
  const [first, ...others] = estimate.legs
  return (
    <section aria-labelledby="branches-title">
      <h2 id="branches-title" className="mb-1 min-h-8 text-section font-semibold">
        Cost breakdown
      </h2>
      <dl className="border-y border-border tabular-nums">
        {first ? (
          <Line
            label={`${channelTraits[first.channel].label}, ${countOf(people, 'person', 'people')}`}
            value={formatMoney(least)}
          />
        ) : null}
        <CountryLines prices={estimate.prices} total={least} />
        {others.map(({ channel, prices }, index) => (
          <Fragment key={channel}>
            <Line
              label={`${channelTraits[channel].label}, if all ${formatCount(people)} fall back`}
              value={`up to ${formatMoney(later[index] ?? 0)}`}
            />
            <CountryLines prices={prices} total={later[index] ?? 0} />
          </Fragment>
        ))}
        <Line
          label="Total"
          value={others.length > 0 ? `between ${formatMoney(least)} and ${formatMoney(most)}` : formatMoney(most)}
        />
      </dl>
      <p className="mt-1.5 text-caption text-muted-foreground">
        {note ? `${note} ` : ''}Unused reserved balance is returned.
      </p>
    </section>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 border-b border-line last:border-0 last:font-medium">
      <dt className="min-w-0 text-dense text-muted-foreground">{label}</dt>
      <dd className="text-right">{value}</dd>
    </div>
  )
}
