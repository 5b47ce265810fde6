import clsx from 'clsx'
import type { Channel } from '@carillon/contract/channels'
import { mayCall } from '../../lib/call.ts'
import { countOf, formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { channelLabel } from '../../channels/channel-mark.tsx'
import { channels } from '../../channels/index.ts'
import { Region } from '../../ui/region.tsx'

const few = 5

/** The balance, how long it lasts at last week's average, and what that week was spent on. */
export function BalanceCard() {
  const overview = useApi('balance.overview', { query: { days: 7 } }, { refetchInterval: 60_000 })
  const mayAsk = useUser()?.type !== 'admin' && mayCall('balance.request')
  return (
    <Card
      title="Balance"
      actions={
        mayAsk ? (
          <Button size="tool" className="mr-1" onClick={() => askForTopUp()}>
            Request top-up
          </Button>
        ) : null
      }
    >
      <Region read={overview} label="the balance" lines={2}>
        {({ balance, held, isOwn, runwayDays, byChannel }) => (
          <div className="px-4 pb-4">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="text-title font-semibold tabular-nums">{formatMoney(balance)}</span>
              {isOwn ? (
                <Runway left={runwayDays} />
              ) : (
                <span className="text-dense text-muted-foreground">Shared with your organisation</span>
              )}
            </div>
            {held > 0 ? (
              <p className="mt-1 text-dense text-muted-foreground tabular-nums">
                {formatMoney(held)} reserved for campaigns
              </p>
            ) : null}
            <SpentOn byChannel={byChannel} />
          </div>
        )}
      </Region>
    </Card>
  )
}

type Spent = { channel: Channel; spent: number }

/** The week's spend as one bar, split by channel. */
function SpentOn({ byChannel }: { byChannel: readonly Spent[] }) {
  const parts = byChannel.filter(({ spent }) => spent > 0).toSorted((a, b) => b.spent - a.spent)
  const total = parts.reduce((sum, { spent }) => sum + spent, 0)
  if (total === 0) return null
  return (
    <>
      <p className="sr-only">Spent in the last 7 days</p>
      <div aria-hidden className="mt-3 flex h-2 gap-0.5 overflow-hidden rounded-sm">
        {parts.map(({ channel, spent }) => (
          <span
            key={channel}
            className={clsx('h-full min-w-1', channels[channel].mark.fill)}
            style={{ width: `${(spent / total) * 100}%` }}
          />
        ))}
      </div>
      <dl className="mt-2.5 flex flex-wrap gap-x-6 gap-y-2 text-dense tabular-nums">
        {parts.map(({ channel, spent }) => (
          <div key={channel}>
            <dt className="flex items-center gap-1.5 text-muted-foreground">
              <span aria-hidden className={clsx('size-2 rounded-xs', channels[channel].mark.fill)} />
              {channelLabel(channel)}
            </dt>
            <dd className="font-medium">{formatMoney(spent)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Only for a separate balance: others spend a shared one as well. */
function Runway({ left }: { left: number | undefined }) {
  if (left === undefined) return null
  const days = left < 1 ? 'less than a day' : left > 365 ? 'over a year' : countOf(Math.floor(left), 'day')
  return (
    <span className={clsx('text-dense', left < few ? 'text-warning-text' : 'text-muted-foreground')}>
      {days} at this week’s pace
    </span>
  )
}
