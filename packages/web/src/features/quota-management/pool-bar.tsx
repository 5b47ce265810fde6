import type { ManagedUser } from '@carillon/contract/people'
import { formatMoney } from '../../lib/format.ts'

type PoolBarProps = { pool: number; users: readonly ManagedUser[]; change: number }

/** The pool against everything it could be: itself and the accounts here, which transfers cannot change. */
export function PoolBar({ pool, users, change }: PoolBarProps) {
  const whole = pool + users.reduce((sum, { balance = 0 }) => sum + balance, 0)
  const after = pool - change
  const share = whole > 0 ? Math.min(1, Math.max(0, after / whole)) : 0
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-y border-line bg-sunken py-3 tabular-nums screen-x">
      <span>
        <span className="text-muted-foreground">Pool</span> <b className="font-semibold">{formatMoney(pool)}</b>
      </span>
      <span aria-hidden className="h-2 min-w-40 flex-1 overflow-hidden rounded-full bg-secondary">
        <span
          className="block h-full rounded-full bg-brand transition-[width] duration-450 ease-out motion-reduce:transition-none"
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span role="status" className={after < 0 ? 'text-danger-text' : undefined}>
        <span className="text-muted-foreground">after changes</span>{' '}
        <b className="font-semibold">{formatMoney(after)}</b>
      </span>
    </div>
  )
}
