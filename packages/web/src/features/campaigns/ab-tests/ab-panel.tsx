import type { AbReport, VariantResult } from '@carillon/contract/ab-tests'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import { channelTraits } from '@carillon/contract/channels/table'
import { useState, type ReactNode } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { countOf, formatCount, formatDateTime, formatMoney, formatShare } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Missing } from '../../../ui/text.tsx'
import { RecipientsLink } from '../report/recipients-link.tsx'
import { LegName } from '../wizard/split-bar.tsx'
import { controlGroupText, findingOf, markOf } from './ab-finding.ts'
import { formatMetric, metricTexts } from './ab-metrics.ts'
import { SendVariantDialog } from './send-variant-dialog.tsx'
import { letterOfVariant } from '@carillon/contract/variant-positions'

type AbPanelProps = { campaign: Pick<CampaignDetail, '_id' | 'campaignName' | 'status'>; report: AbReport }

/** The A/B test of a campaign: its finding, the results of each message, and the choice of the winner. */
export function AbPanel({ campaign, report }: AbPanelProps) {
  const [chosen, setChosen] = useState<VariantResult>()
  return (
    <section aria-label="A/B test" className="tabular-nums">
      <p className="px-4 pb-3 font-medium text-pretty">{findingOf(report)}</p>
      <Results campaign={campaign} report={report} onChoose={canChoose({ campaign, report }) ? setChosen : undefined} />
      <Notes report={report} />
      {chosen ? (
        <SendVariantDialog campaign={campaign} report={report} chosen={chosen} onClose={() => setChosen(undefined)} />
      ) : null}
    </section>
  )
}

/** Whether a person may send one of the messages to the other recipients now. */
function canChoose({ campaign: { status }, report: { phase, rest } }: AbPanelProps): boolean {
  const isOpen = phase === 'testing' || phase === 'awaiting_winner'
  return isOpen && rest > 0 && ['queued', 'running', 'paused'].includes(status) && mayCall('campaigns.chooseWinner')
}

type ResultsProps = AbPanelProps & { onChoose: ((chosen: VariantResult) => void) | undefined }

function Results({ campaign, report, onChoose }: ResultsProps) {
  const { metric } = report
  return (
    <div className="relative overflow-x-auto" role="region" aria-label="Results by message" tabIndex={0}>
      <table className="w-full text-dense">
        <thead>
          <tr className="border-y border-border text-left text-muted-foreground [&>th]:h-9 [&>th]:px-2 [&>th]:font-normal [&>th]:whitespace-nowrap [&>th:first-child]:pl-4 [&>th:last-child]:pr-4">
            <th scope="col" className="max-md:hidden">
              Message
            </th>
            <Heading>People</Heading>
            <Heading>Sent</Heading>
            <Heading>Delivered</Heading>
            <Heading>Read</Heading>
            <Heading>Clicked</Heading>
            <Heading>Replied</Heading>
            <Heading>Cost</Heading>
            {metric === 'cost_per_reply' ? <Heading>{metricTexts[metric].label}</Heading> : null}
            {onChoose ? (
              <th scope="col" className="max-md:hidden">
                <span className="sr-only">Action</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {report.variants.map((result) => (
            <ResultRow key={result.variant} campaign={campaign} report={report} result={result} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ResultRow({ campaign, report, result, onChoose }: ResultsProps & { result: VariantResult }) {
  const { variant, channel, people, sent, delivered, read, clicked, replied, cost, value } = result
  const { metric, rest } = report
  const letter = letterOfVariant(variant)
  const { hasReadReceipts, label } = channelTraits[channel]
  const list = (name: ListedResult, count: number) => (
    <ListedCount campaignId={campaign._id} report={report} result={result} name={name} count={count} />
  )
  const name = (
    <>
      <LegName {...result} letter={letter} />
      <Mark report={report} variant={variant} />
    </>
  )
  const choose = onChoose ? (
    <Button
      size="tool"
      aria-label={`Send ${letter} to the other ${countOf(rest, 'person', 'people')}`}
      onClick={() => onChoose(result)}
    >
      Send {letter} to the other {formatCount(rest)}
    </Button>
  ) : null
  return (
    <>
      {/* On a phone the name and the action have a row of their own. */}
      <tr className="md:hidden">
        <th scope="rowgroup" colSpan={8} className="px-4 pt-2.5 text-left font-normal">
          <span className="flex flex-wrap items-start justify-between gap-2">
            <span className="min-w-0">{name}</span>
            {choose}
          </span>
        </th>
      </tr>
      <tr className="border-b border-line align-top last:border-0 [&>*]:px-2 [&>*]:py-2 [&>*:first-child]:pl-4 [&>*:last-child]:pr-4 max-md:[&>*:nth-child(2)]:pl-4">
        <th scope="row" className="min-w-44 text-left font-normal max-md:hidden">
          {name}
        </th>
        <Cell>{list('starters', people)}</Cell>
        <Cell>{list('sent', sent)}</Cell>
        <Share of={result} isCompared={metric === 'delivered'} count={delivered}>
          {list('delivered', delivered)}
        </Share>
        {hasReadReceipts ? (
          <Share of={result} isCompared={metric === 'read'} count={read}>
            {list('read', read)}
          </Share>
        ) : (
          <Cell>
            <Missing why={`${label} has no read receipts`} />
          </Cell>
        )}
        <Share of={result} isCompared={metric === 'clicked'} count={clicked}>
          {list('clicked', clicked)}
        </Share>
        <Share of={result} isCompared={metric === 'replied'} count={replied}>
          {formatCount(replied)}
        </Share>
        <Cell>{formatMoney(cost)}</Cell>
        {metric === 'cost_per_reply' ? (
          <Cell isStrong>{value === null ? <Missing why="No reply yet" /> : formatMetric(metric, value)}</Cell>
        ) : null}
        {choose ? <td className="text-right max-md:hidden">{choose}</td> : null}
      </tr>
    </>
  )
}

function Mark({ report, variant }: { report: AbReport; variant: number }) {
  const text = markOf(report, variant)
  return text ? <p className="mt-0.5 text-caption font-medium text-brand-text">{text}</p> : null
}

type ListedCountProps = {
  campaignId: string
  report: AbReport
  result: VariantResult
  name: ListedResult
  count: number
}

type ListedResult = 'starters' | 'sent' | 'delivered' | 'read' | 'clicked'

/** A number that lists its people, until others get the same message. */
function ListedCount({ campaignId, report: { phase }, result: { variant, leg }, name, count }: ListedCountProps) {
  if (phase !== 'testing' && phase !== 'awaiting_winner') return formatCount(count)
  return (
    <RecipientsLink
      campaignId={campaignId}
      shown={name === 'clicked' ? { leg, clicked: true } : { leg, result: name }}
      count={count}
      label={`${name === 'starters' ? 'People' : name} of message ${letterOfVariant(variant)}: list ${formatCount(count)}`}
    >
      {formatCount(count)}
    </RecipientsLink>
  )
}

type ShareProps = { of: VariantResult; isCompared: boolean; count: number; children: ReactNode }

/** A count with its share of the people in the test; the share that is compared is stressed. */
function Share({ of: { people }, isCompared, count, children }: ShareProps) {
  return (
    <Cell>
      {children}
      <span
        className={`block text-caption ${isCompared ? 'font-semibold text-foreground' : 'font-normal text-muted-foreground'}`}
      >
        {formatShare(count, people)}
      </span>
    </Cell>
  )
}

function Cell({ isStrong = false, children }: { isStrong?: boolean; children: ReactNode }) {
  return <td className={`text-right whitespace-nowrap ${isStrong ? 'font-semibold' : ''}`}>{children}</td>
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="text-right">
      {children}
    </th>
  )
}

/** What is compared, the control group, and when the test is or was decided. */
function Notes({ report }: { report: AbReport }) {
  const { metric, phase, decidesAt, decidedAt, decidedBy } = report
  const notes = [
    metricTexts[metric].help,
    controlGroupText(report),
    decidedAt
      ? `Decided ${formatDateTime(decidedAt)}, ${decidedBy ? `by ${decidedBy}` : 'by the results'}. The numbers are those of that moment.`
      : phase === 'awaiting_winner' && decidesAt && `The test ended ${formatDateTime(decidesAt)}.`,
  ]
  return (
    <p className="border-t border-line px-4 py-2 text-dense text-muted-foreground">{notes.filter(Boolean).join(' ')}</p>
  )
}
