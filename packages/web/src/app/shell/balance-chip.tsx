import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatMoney } from '../../lib/format.ts'
import { useUser } from '../../lib/session.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBalance } from './use-account.ts'

/** Available balance and the amount held by running campaigns. */
export function BalanceChip() {
  const { balance, isPending } = useBalance()
  const user = useUser()
  const [open, setOpen] = useState(false)
  if (isPending) return <Skeleton className="mx-2 h-4 w-22 max-md:hidden" />
  if (balance === undefined) return null
  return (
    <Popover
      label="Balance"
      align="end"
      className="w-72 p-4"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={`Balance ${formatMoney(balance)}`}
          className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium whitespace-nowrap tabular-nums hover:bg-accent aria-expanded:bg-accent max-md:hidden"
        >
          <Wallet aria-hidden className="size-4 text-muted-foreground" />
          {formatMoney(balance)}
        </button>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 [&_dd]:text-right [&_dd]:tabular-nums [&_dt]:text-muted-foreground">
        <dt>Available</dt>
        <dd className="font-medium">{formatMoney(balance)}</dd>
        {open ? <Held /> : null}
        {open ? <Runway /> : null}
      </dl>
      <p className="mt-3 border-t border-line pt-3 text-caption text-muted-foreground">
        A started campaign reserves its maximum cost. Unused balance returns when it ends.
      </p>
      {user?.type === 'admin' ? null : (
        <Button
          className="mt-3 w-full"
          onClick={() => {
            setOpen(false)
            askForTopUp()
          }}
        >
          Top up
        </Button>
      )}
    </Popover>
  )
}

function Held() {
  const read = useApi('balance.get', {})
  return (
    <>
      <dt>Reserved</dt>
      <dd>{read.data ? formatMoney(read.data.held) : ''}</dd>
    </>
  )
}

/** Days left at the average of the last seven days. */
function Runway() {
  const overview = useApi('balance.overview', { query: { days: 7 } })
  const days = overview.data?.runwayDays
  // The own spend says little about a shared balance.
  if (days === undefined || overview.data?.isOwn === false) return null
  return (
    <>
      <dt>Lasts about</dt>
      <dd>{days < 1 ? 'less than a day' : `${countOf(Math.floor(days), 'day')} at this week’s pace`}</dd>
    </>
  )
}
