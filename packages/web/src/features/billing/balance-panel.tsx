import clsx from 'clsx'
import { countOf, formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Region } from '../../ui/region.tsx'
import type { OverviewRead } from './reads.ts'

const low = 1000
const few = 5

/** Available and reserved balance, and how long it lasts. */
export function BalancePanel({ overview }: { overview: OverviewRead }) {
  const sells = useUser()?.type === 'reseller'
  return (
    <Card
      title="Balance"
      caption={overview.data && !overview.data.isOwn ? 'Shared with your organisation' : undefined}
      actions={<Plan />}
    >
      <Region read={overview} label="the balance" lines={3}>
        {({ balance, held, isOwn, runwayDays, perDay, allocated }) => (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-4 px-4 pb-4 md:grid-cols-[auto_repeat(3,minmax(0,1fr))] [&_dd]:mt-0.5 [&_dd]:tabular-nums [&_dt]:text-dense [&_dt]:text-muted-foreground">
            <div>
              <dt>Available</dt>
              <dd className={clsx('text-metric font-semibold', balance < low && 'text-warning-text')}>
                {formatMoney(balance)}
              </dd>
            </div>
            {isOwn ? <Runway left={runwayDays} perDay={perDay} sells={sells} /> : <OwnPace perDay={perDay} />}
            <div>
              <dt>Reserved</dt>
              <dd className="text-section font-semibold">{formatMoney(held)}</dd>
              <dd className="text-caption text-muted-foreground">for running campaigns</dd>
            </div>
            {isOwn ? (
              <div>
                <dt>{sells ? 'Held by customers' : 'Held by members'}</dt>
                <dd className="text-section font-semibold">{formatMoney(allocated)}</dd>
                <dd className="text-caption text-muted-foreground">
                  {sells ? 'in their own balances' : 'in separate balances'}
                </dd>
              </div>
            ) : null}
          </dl>
        )}
      </Region>
    </Card>
  )
}

type RunwayProps = {
  left: number | undefined
  perDay: number
  sells: boolean
}

function Runway({ left, perDay, sells }: RunwayProps) {
  return (
    <div>
      <dt>Lasts about</dt>
      <dd className={clsx('text-metric font-semibold', left !== undefined && left < few && 'text-warning-text')}>
        {wordsOfRunway(left)}
      </dd>
      <dd className="text-caption text-muted-foreground">
        {perDay > 0 ? `at ${formatMoney(perDay)} a day${sells ? ' by customers' : ''}` : 'nothing was spent this week'}
      </dd>
    </div>
  )
}

/** Others spend from a shared balance as well, so the own spend does not determine how long it lasts. */
function OwnPace({ perDay }: { perDay: number }) {
  return (
    <div>
      <dt>You spend</dt>
      <dd className="text-section font-semibold">{formatMoney(perDay)}</dd>
      <dd className="text-caption text-muted-foreground">a day, in the last week</dd>
    </div>
  )
}

function Plan() {
  return (
    <span className="flex items-center gap-2 pr-2 text-dense text-muted-foreground">
      Plan: Free
      <Pill tone="neutral">Upgrade to Pro · Coming Soon</Pill>
    </span>
  )
}

function wordsOfRunway(days: number | undefined): string {
  if (days === undefined) return '—'
  if (days < 1) return 'Less than a day'
  return days > 365 ? 'Over a year' : countOf(Math.floor(days), 'day')
}
