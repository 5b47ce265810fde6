import { channelTraits } from '@carillon/contract/channels/table'
import { comparable, type ComparedCampaign } from '@carillon/contract/unified-campaigns'
import clsx from 'clsx'
import { Scale, Trophy, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { channels } from '../../../channels/index.ts'
import { formatCount, formatDuration, formatMoney, formatPercent, formatUnitPrice } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { StatusPill } from '../../../ui/pill.tsx'
import { Region } from '../../../ui/region.tsx'
import { Missing } from '../../../ui/text.tsx'
import { reportsView } from '../numbers/reports-view.ts'
import { ChannelMarks } from './channel-marks.tsx'
import { comparedFigures, isBest, type ComparedFigure } from './compared-figures.ts'
import type { ViewProps } from './unified-view.ts'

/** Results of two to four campaigns side by side. */
export function Comparison({ view, setView }: ViewProps) {
  const { ids } = view
  const isPossible = ids.length >= comparable.fewest
  const read = useApi(
    'campaigns.compare',
    { query: { ids: ids.join(',') } },
    { enabled: isPossible, keepPrevious: true },
  )
  if (!isPossible) {
    return (
      <Empty
        icon={Scale}
        title={`Choose ${comparable.fewest} to ${comparable.most} campaigns`}
        actions={<Button onClick={() => setView({ tab: 'list' })}>Open the list</Button>}
      >
        {ids.length === 1
          ? 'One campaign is chosen. Add another one with the menu of its row.'
          : 'Select them in the list, or use the menu of a row.'}
      </Empty>
    )
  }
  return (
    <div className="py-4 screen-x">
      <Region read={read} label="the comparison" lines={8}>
        {({ campaigns }) => (
          <ComparisonTable
            campaigns={campaigns}
            onRemove={(id) => setView({ ids: ids.filter((other) => other !== id) })}
          />
        )}
      </Region>
    </div>
  )
}

const cell = 'px-3 max-md:px-2'

type ComparisonTableProps = { campaigns: readonly ComparedCampaign[]; onRemove: (id: string) => void }

function ComparisonTable({ campaigns, onRemove }: ComparisonTableProps) {
  return (
    <div tabIndex={0} role="region" aria-label="Comparison" className="overflow-x-auto">
      <table
        className={clsx(
          'w-full table-fixed border-collapse tabular-nums [--figure:11rem] [--head:10rem] max-md:[--head:5.5rem]',
          // Two fit on a phone; of more, a part of the third shows that there are more.
          campaigns.length > 2 ? 'max-md:[--figure:7.5rem]' : 'max-md:[--figure:8rem]',
        )}
        style={{ minWidth: `calc(var(--head) + ${campaigns.length} * var(--figure))` }}
      >
        <thead>
          <tr className="border-b border-border align-top">
            <th scope="col" className="sticky left-0 z-1 w-(--head) bg-background py-2 pr-3 text-left">
              <span className="sr-only">Figure</span>
            </th>
            {campaigns.map((campaign) => (
              <th key={campaign._id} scope="col" className={clsx(cell, 'py-2 text-left font-normal')}>
                <CampaignHead campaign={campaign} onRemove={() => onRemove(campaign._id)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedFigures.map((figure) => (
            <FigureRow key={figure.label} figure={figure} campaigns={campaigns} />
          ))}
          <tr className="border-b border-line align-top">
            <RowHead>By channel</RowHead>
            {campaigns.map((campaign) => (
              <td key={campaign._id} className={clsx(cell, 'py-2.5')}>
                <ChannelSplit campaign={campaign} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function CampaignHead({ campaign, onRemove }: { campaign: ComparedCampaign; onRemove: () => void }) {
  const { _id, campaignName, status, channels: own } = campaign
  return (
    <div className="flex flex-col items-start gap-1.5">
      <div className="flex w-full items-start gap-1">
        <AreaLink
          to="campaigns/individual-reports"
          search={writeView(reportsView, { campaignId: _id })}
          className={clsx(linkClass, 'line-clamp-2 min-w-0 flex-1 font-semibold max-md:line-clamp-3')}
        >
          {campaignName}
        </AreaLink>
        <span className="-my-1.5">
          <IconButton label={`Remove ${campaignName}`} size="sm" onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        </span>
      </div>
      <ChannelMarks channels={own} />
      <StatusPill status={status} />
    </div>
  )
}

function FigureRow({ figure, campaigns }: { figure: ComparedFigure; campaigns: readonly ComparedCampaign[] }) {
  const values = campaigns.map(figure.of)
  return (
    <tr className="border-b border-line">
      <RowHead>{figure.label}</RowHead>
      {campaigns.map((campaign, index) => {
        const value = values[index]
        const best = isBest(figure, value, values)
        return (
          <td key={campaign._id} className={clsx(cell, 'py-2.5', best && 'font-semibold text-success-text')}>
            {value === undefined ? (
              <Missing />
            ) : (
              <span className="inline-flex items-center gap-1.5">
                {formats[figure.format](value)}
                {best ? (
                  <>
                    <Trophy aria-hidden className="size-3.5" />
                    <span className="text-caption font-medium max-md:sr-only">Best</span>
                  </>
                ) : null}
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}

const formats: Record<ComparedFigure['format'], (value: number) => string> = {
  count: formatCount,
  share: formatPercent,
  money: formatMoney,
  unitPrice: formatUnitPrice,
  duration: formatDuration,
}

function RowHead({ children }: { children: ReactNode }) {
  return (
    <th
      scope="row"
      className="sticky left-0 z-1 bg-background py-2.5 pr-3 text-left text-dense font-normal text-muted-foreground"
    >
      {children}
    </th>
  )
}

/** People reached and cost on each channel, with their share as a bar. */
function ChannelSplit({ campaign: { results } }: { campaign: ComparedCampaign }) {
  const all = results.reduce((sum, { delivered }) => sum + delivered, 0)
  if (results.every(({ sent }) => sent === 0)) return <Missing why="not sent" />
  return (
    <ul className="flex flex-col gap-2.5">
      {results.map(({ channel, delivered, sent, cost }) => (
        <li key={channel}>
          <span className="flex flex-wrap items-baseline justify-between gap-x-2 text-dense">
            <span>{channelTraits[channel].label}</span>
            <span className="text-muted-foreground">{formatMoney(cost)}</span>
          </span>
          <span aria-hidden className="my-1 block h-1.5 overflow-hidden rounded-full bg-secondary">
            <span
              className={clsx('block h-full rounded-full', channels[channel].mark.fill)}
              style={{ width: `${all === 0 ? 0 : (delivered / all) * 100}%` }}
            />
          </span>
          <span className="block text-caption text-muted-foreground">
            {formatCount(delivered)} delivered of {formatCount(sent)} sent
          </span>
        </li>
      ))}
    </ul>
  )
}
