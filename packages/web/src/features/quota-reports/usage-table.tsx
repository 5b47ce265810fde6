import { figuresOf, sharesOf } from '@carillon/contract/figures'
import type { Channel } from '@carillon/contract/channels'
import clsx from 'clsx'
import { formatCount, formatKnownShare, formatMoney, formatShare, roleNames } from '../../lib/format.ts'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { explain, type Counts, type UsageRow } from './usage.ts'

type UsageTableProps = {
  /** The noun for a row: 'Account', 'Person'. */
  who: string
  channels: readonly Channel[]
  rows: readonly UsageRow[]
  sum: UsageRow
  /** Adds a sentence below each row. */
  explained: boolean
}

const line = 'border-b border-line'
const edge = 'first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6'
const head = `h-9 border-b border-border bg-background px-3 text-left text-caption font-medium text-muted-foreground ${edge}`
const group = 'border-l border-l-line'
const cell = `h-11 px-3 ${edge}`
const number = 'text-right'

/** Usage by account: a group of columns for each channel, totals first. */
export function UsageTable({ who, channels, rows, sum, explained }: UsageTableProps) {
  const columns = channels.length * 3 + 5
  return (
    <div className="relative overflow-x-auto" role="region" aria-label="Usage" tabIndex={0}>
      <table className="w-full border-separate border-spacing-0 whitespace-nowrap tabular-nums">
        <caption className="sr-only">Usage by {who.toLowerCase()} and channel</caption>
        <Heads who={who} channels={channels} />
        <tbody className="font-medium">
          <tr>
            <th scope="row" className={clsx(cell, line, 'bg-sunken text-left font-medium')}>
              All
            </th>
            <Cells row={sum} className={clsx(line, 'bg-sunken')} />
            <td className={clsx(cell, line, 'bg-sunken')} />
            <td className={clsx(cell, line, 'bg-sunken')} />
          </tr>
        </tbody>
        {rows.map((row) => (
          <tbody key={row.userId} className="group">
            <tr className="hover:bg-accent">
              <th scope="row" className={clsx(cell, !explained && line, 'max-w-64 text-left font-normal')}>
                <b className="block truncate font-medium">{row.name}</b>
                <small className="block truncate text-caption text-muted-foreground">
                  {row.username} · {roleNames[row.type]}
                </small>
              </th>
              <Cells row={row} className={explained ? '' : line} />
              <td className={clsx(cell, !explained && line, 'w-32')}>
                <ShareBar share={row.share} />
              </td>
              <td className={clsx(cell, !explained && line, 'w-24')}>
                <Sparkline values={row.daily.map(({ submitted }) => submitted)} />
              </td>
            </tr>
            {explained ? (
              <tr>
                <td colSpan={columns} className={clsx(line, 'pb-2.5 text-dense text-muted-foreground', edge)}>
                  {explain(row, sum.total)}
                </td>
              </tr>
            ) : null}
          </tbody>
        ))}
      </table>
    </div>
  )
}

function Heads({ who, channels }: { who: string; channels: readonly Channel[] }) {
  return (
    <thead>
      <tr>
        <th rowSpan={2} scope="col" className={head}>
          {who}
        </th>
        {channels.map((channel) => (
          <th key={channel} colSpan={3} scope="colgroup" className={clsx(head, group)}>
            <ChannelMark channel={channel} />
          </th>
        ))}
        <th rowSpan={2} scope="col" className={clsx(head, group, number)}>
          Messages
        </th>
        <th rowSpan={2} scope="col" className={clsx(head, number)}>
          Spend
        </th>
        <th rowSpan={2} scope="col" className={head}>
          Share
        </th>
        <th rowSpan={2} scope="col" className={head}>
          Trend
        </th>
      </tr>
      <tr>
        {channels.map((channel) =>
          ['Messages', 'Delivered', 'Failed'].map((name, index) => (
            <th
              key={`${channel}-${name}`}
              scope="col"
              className={clsx(head, number, index === 0 && group, 'last:pr-3!')}
            >
              {name}
            </th>
          )),
        )}
      </tr>
    </thead>
  )
}

function Cells({ row: { cells, total }, className }: { row: UsageRow; className: string }) {
  return (
    <>
      {cells.map((counts, index) => (
        <ChannelCells key={index} counts={counts} className={className} />
      ))}
      <td className={clsx(cell, number, group, className, 'font-medium')}>{formatCount(total.submitted)}</td>
      <td className={clsx(cell, number, className)}>{formatMoney(total.cost)}</td>
    </>
  )
}

function ChannelCells({ counts, className }: { counts: Counts; className: string }) {
  const { sent, delivered, failed } = figuresOf(counts)
  const shares = sharesOf(counts)
  return (
    <>
      <td className={clsx(cell, number, group, className)}>{formatCount(sent)}</td>
      <td className={clsx(cell, number, className)} title={formatKnownShare(shares?.delivered)}>
        {formatCount(delivered)}
      </td>
      <td className={clsx(cell, number, className)} title={formatKnownShare(shares?.failed)}>
        {formatCount(failed)}
      </td>
    </>
  )
}

function ShareBar({ share }: { share: number }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="block h-1.5 w-14 overflow-hidden rounded-full bg-track">
        <span className="block h-full rounded-full bg-brand" style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
      <span className="text-dense text-muted-foreground">{formatShare(share, 1)}</span>
    </span>
  )
}
