import { Wallet } from 'lucide-react'
import { formatMoney } from '../../lib/format.ts'
import { Popover } from '../../ui/popover.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBalance } from './use-account.ts'

/** What can still be spent, with what running campaigns hold. */
export function BalanceChip() {
  const balance = useBalance()
  if (balance.isPending) return <Skeleton className="mx-2 h-4 w-22 max-md:hidden" />
  if (!balance.data) return null
  return (
    <Popover
      label="Balance"
      align="end"
      className="w-64 p-4"
      trigger={
        <button
          type="button"
          aria-label={`Balance ${formatMoney(balance.data.balance)}`}
          className="inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium whitespace-nowrap tabular-nums hover:bg-accent aria-expanded:bg-accent max-md:hidden"
        >
          <Wallet aria-hidden className="size-4 text-muted-foreground" />
          {formatMoney(balance.data.balance)}
        </button>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 [&_dd]:text-right [&_dd]:tabular-nums [&_dt]:text-muted-foreground">
        <dt>Available</dt>
        <dd className="font-medium">{formatMoney(balance.data.balance)}</dd>
        <dt>On hold</dt>
        <dd>{formatMoney(balance.data.held)}</dd>
      </dl>
      <p className="mt-3 border-t border-line pt-3 text-caption text-muted-foreground">
        A started campaign holds its highest cost; what it does not use returns when it ends.
      </p>
    </Popover>
  )
}
