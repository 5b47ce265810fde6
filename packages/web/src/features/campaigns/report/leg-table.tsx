import { positionOfVariant } from '@carillon/contract/variant-positions'
import type { LegResult } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { ReactNode } from 'react'
import { countOf, formatCount, formatMoney, formatShare } from '../../../lib/format.ts'
import { hasVariants, letterOfLeg } from '../ab-tests/variant-legs.ts'
import { LegName, SplitBar } from '../wizard/split-bar.tsx'
import { RecipientsLink } from './recipients-link.tsx'
import { describeShown } from './shown-recipients.ts'

type LegTableProps = { campaign: Pick<CampaignDetail, '_id' | 'legs' | 'both' | 'expected' | 'stats' | 'abTest'> }

/** People, deliveries and cost of each channel, each beside what the review expected. */
export function LegTable({ campaign }: LegTableProps) {
  const { legs, both, expected, stats } = campaign
  const isOfMessages = hasVariants(legs)
  return (
    <div className="tabular-nums">
      <div className="px-4 pb-3">
        <SplitBar
          label={isOfMessages ? 'Deliveries by message' : 'Deliveries by channel'}
          total={stats.total}
          parts={legs.map(({ channel, delivered }) => ({ channel, people: delivered }))}
        />
      </div>
      <div
        className="relative overflow-x-auto"
        role="region"
        aria-label={isOfMessages ? 'Messages' : 'Channels'}
        tabIndex={0}
      >
        <table className="w-full text-dense">
          <thead>
            <tr className="border-y border-border text-left text-muted-foreground [&>th]:h-9 [&>th]:px-4 max-md:[&>th]:px-2 max-md:[&>th:last-child]:pr-4 [&>th]:font-normal">
              <th scope="col" className="max-md:hidden">
                {isOfMessages ? 'Message' : 'Channel'}
              </th>
              <Heading>Sent</Heading>
              <Heading>Delivered</Heading>
              <Heading>Failed</Heading>
              <Heading>Cost</Heading>
            </tr>
          </thead>
          <tbody>
            {legs.map((leg) => (
              <LegRow key={leg.leg} leg={leg} campaign={campaign} />
            ))}
          </tbody>
          {expected ? (
            <tfoot>
              <tr className="align-top font-medium [&>*]:px-4 [&>*]:py-2">
                <th scope="row" colSpan={3} className="text-left font-medium">
                  Total
                </th>
                <td className="max-md:hidden" />
                <Pair
                  actual={formatMoney(stats.cost - stats.refunded)}
                  below={`expected ${formatMoney(expected.range.expected)}`}
                />
              </tr>
            </tfoot>
          ) : null}
        </table>
      </div>
      <p className="px-4 py-2 text-dense text-muted-foreground">
        {both > 0 ? (
          <RecipientsLink
            campaignId={campaign._id}
            shown={{ both: true }}
            count={both}
            label={`List the ${countOf(both, 'person', 'people')} who got two messages or more`}
          >
            {countOf(both, 'person', 'people')}
          </RecipientsLink>
        ) : (
          'No one'
        )}{' '}
        got two messages or more.{' '}
        {expected
          ? `The review gave ${formatMoney(expected.range.minimum)} as the minimum and ${formatMoney(expected.range.maximum)} as the maximum.`
          : ''}
      </p>
    </div>
  )
}

type LegRowProps = { leg: CampaignDetail['legs'][number]; campaign: LegTableProps['campaign'] }

function LegRow({ leg, campaign }: LegRowProps) {
  const { starters, entered, delivered, expired, skipped, cost } = leg
  const { expectedPeople, expectedDelivered, expectedCost } = isWinner(leg, campaign) ? nothingExpected : leg
  const list = (result: LegResult, text = formatCount(leg[result])) => (
    <RecipientsLink
      campaignId={campaign._id}
      shown={{ leg: leg.leg, result }}
      count={leg[result]}
      label={`${describeShown({ leg: leg.leg, result }, campaign.legs)}: list ${formatCount(leg[result])}`}
    >
      {text}
    </RecipientsLink>
  )
  const name = (
    <>
      <LegName {...leg} letter={letterOfLeg(leg.leg, campaign.legs)} />
      <p className="text-caption font-normal text-muted-foreground">
        {starters > 0 || entered === 0 ? <>{list('starters')} began with it</> : null}
        {starters > 0 && entered > 0 ? ', ' : null}
        {entered > 0 ? <>{list('entered')} fell back to it</> : null}
        {skipped > 0 ? <>, {list('skipped')} skipped</> : null}
      </p>
    </>
  )
  return (
    <>
      {/* On a phone the name has a row of its own. */}
      <tr className="md:hidden">
        <th scope="rowgroup" colSpan={4} className="px-4 pt-2 text-left font-normal">
          {name}
        </th>
      </tr>
      <tr className="border-b border-line align-top [&>*]:px-4 [&>*]:py-2 max-md:[&>*]:px-2 max-md:[&>*:last-child]:pr-4">
        <th scope="row" className="min-w-36 text-left font-normal max-md:hidden">
          {name}
        </th>
        <Pair actual={list('sent')} below={expectedText(known(expectedPeople, formatCount))} />
        <Pair
          actual={
            <>
              {list('delivered')} ({formatShare(delivered, campaign.stats.total)})
            </>
          }
          below={expectedText(known(expectedDelivered, formatCount))}
        />
        <Pair actual={list('failed')} below={expired > 0 ? <>{list('expired')} expired</> : undefined} />
        <Pair actual={formatMoney(cost)} below={expectedText(known(expectedCost, formatMoney))} />
      </tr>
    </>
  )
}

type Expected = Partial<Pick<LegRowProps['leg'], 'expectedPeople' | 'expectedDelivered' | 'expectedCost'>>

const nothingExpected: Expected = {}

/** The winner of a test is sent to more people than the review expected for its message. */
function isWinner({ leg }: LegRowProps['leg'], { abTest }: LegRowProps['campaign']): boolean {
  return abTest !== undefined && abTest.rest > 0 && abTest.winner !== null && positionOfVariant(abTest.winner) === leg
}

function expectedText(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `expected ${value}`
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

/** What happened, and below it what the review expected or what it consists of. */
function Pair({ actual, below }: { actual: ReactNode; below: ReactNode }) {
  return (
    <td className="text-right whitespace-nowrap">
      <span className="block font-medium">{actual}</span>
      {below === undefined ? null : (
        <span className="block text-caption font-normal text-muted-foreground max-md:whitespace-normal">{below}</span>
      )}
    </td>
  )
}
