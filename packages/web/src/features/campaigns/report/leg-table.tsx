import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { ReactNode } from 'react'
import { countOf, formatCount, formatMoney, formatShare } from '../../../lib/format.ts'
import { LegName, SplitBar } from '../wizard/split-bar.tsx'

type LegTableProps = { campaign: Pick<CampaignDetail, 'legs' | 'both' | 'expected' | 'stats'> }

/** People, deliveries and cost of each channel, each beside what the review expected. */
export function LegTable({ campaign }: LegTableProps) {
  const { legs, both, expected, stats } = campaign
  return (
    <div className="tabular-nums">
      <div className="px-4 pb-3">
        <SplitBar
          label="Deliveries by channel"
          total={stats.total}
          parts={legs.map(({ channel, delivered }) => ({ channel, people: delivered }))}
        />
      </div>
      <div className="relative overflow-x-auto" role="region" aria-label="Channels" tabIndex={0}>
        <table className="w-full text-dense">
          <thead>
            <tr className="border-y border-border text-left text-muted-foreground [&>th]:h-9 [&>th]:px-4 max-md:[&>th]:px-2 max-md:[&>th]:first:pl-4 [&>th]:font-normal">
              <th scope="col">Channel</th>
              <Heading>Sent</Heading>
              <Heading>Delivered</Heading>
              <Heading>Cost</Heading>
            </tr>
          </thead>
          <tbody>
            {legs.map((leg) => (
              <LegRow key={leg.leg} leg={leg} total={stats.total} />
            ))}
          </tbody>
          {expected ? (
            <tfoot>
              <tr className="align-top font-medium [&>*]:px-4 [&>*]:py-2">
                <th scope="row" colSpan={3} className="text-left font-medium">
                  Total
                </th>
                <Pair
                  actual={formatMoney(stats.cost - stats.refunded)}
                  expected={formatMoney(expected.range.expected)}
                />
              </tr>
            </tfoot>
          ) : null}
        </table>
      </div>
      <p className="px-4 py-2 text-dense text-muted-foreground">
        {both > 0 ? `${countOf(both, 'person', 'people')} got two messages. ` : 'No one got two messages. '}
        {expected
          ? `The review gave ${formatMoney(expected.range.minimum)} as the minimum and ${formatMoney(expected.range.maximum)} as the maximum.`
          : ''}
      </p>
    </div>
  )
}

function LegRow({ leg, total }: { leg: CampaignDetail['legs'][number]; total: number }) {
  const { starters, entered, sent, delivered, cost, expectedPeople, expectedDelivered, expectedCost } = leg
  return (
    <tr className="border-b border-line align-top [&>td]:px-4 max-md:[&>td]:px-2 max-md:[&>td]:first:pl-4 [&>td]:py-2">
      <td className="min-w-36">
        <LegName {...leg} />
        <p className="text-caption text-muted-foreground">
          {formatCount(starters)} began with it{entered > 0 ? `, ${formatCount(entered)} fell back to it` : ''}
        </p>
      </td>
      <Pair actual={formatCount(sent)} expected={known(expectedPeople, formatCount)} />
      <Pair
        actual={`${formatCount(delivered)} (${formatShare(delivered, total)})`}
        expected={known(expectedDelivered, formatCount)}
      />
      <Pair actual={formatMoney(cost)} expected={known(expectedCost, formatMoney)} />
    </tr>
  )
}

function known(value: number | undefined, format: (value: number) => string): string | undefined {
  return value === undefined ? undefined : format(value)
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="text-right">
      {children}
    </th>
  )
}

/** What happened, and below it what the review expected. */
function Pair({ actual, expected }: { actual: string; expected: string | undefined }) {
  return (
    <td className="text-right whitespace-nowrap">
      <span className="block font-medium">{actual}</span>
      {expected === undefined ? null : (
        <span className="block text-caption font-normal text-muted-foreground">expected {expected}</span>
      )}
    </td>
  )
}
