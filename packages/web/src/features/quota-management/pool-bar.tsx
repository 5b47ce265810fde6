import clsx from 'clsx'
import { ArrowRight } from 'lucide-react'
import { countOf, formatCredit, formatMoney } from '../../lib/format.ts'
import type { Split } from './transfers.ts'

type PoolBarProps = { split: Split; accounts: number; transfers: number }

const fills = {
  pool: 'bg-brand',
  back: 'bg-success',
  out: 'bg-[repeating-linear-gradient(135deg,var(--brand)_0_2px,color-mix(in_oklab,var(--brand)_22%,var(--background))_2px_5px)]',
  accounts: 'bg-[color-mix(in_oklab,var(--input)_24%,var(--background))] inset-ring inset-ring-input',
} as const

/** The pool before and after, and the bar whose whole is the pool with all accounts: transfers only move the split. */
export function PoolBar({ split, accounts, transfers }: PoolBarProps) {
  const { pool, out, back, held } = split
  const after = pool - out + back
  const parts = [
    { id: 'pool', label: 'Pool', value: Math.max(0, pool - out) },
    { id: 'back', label: 'Coming back', value: back },
    { id: 'out', label: 'Going out', value: Math.min(pool + back, out) },
    { id: 'accounts', label: `Already with ${countOf(accounts, 'account')}, ${formatMoney(held)}`, value: held - back },
  ] as const
  const shown = parts.filter(({ id, value }) => value > 0 || id === 'pool' || id === 'accounts')
  return (
    <section aria-label="Pool" className="border-b border-border pb-4 tabular-nums screen-x">
      <dl className="mb-3.5 flex flex-wrap items-end gap-x-5 gap-y-2.5">
        <div>
          <dt className="text-dense text-muted-foreground">Pool now</dt>
          <dd className="mt-0.5 text-metric font-semibold max-md:text-title">{formatMoney(pool)}</dd>
        </div>
        <ArrowRight aria-hidden className="mb-2 size-4 text-muted-foreground max-md:hidden" />
        <div role="status">
          <dt className="text-dense text-muted-foreground">
            {transfers === 0 ? 'After transfers' : `After ${countOf(transfers, 'transfer')}`}
          </dt>
          <dd className={clsx('mt-0.5 text-metric font-semibold max-md:text-title', after < 0 && 'text-danger-text')}>
            {formatMoney(after)}
          </dd>
          {after < 0 ? <dd className="text-caption text-danger-text">More than the pool holds</dd> : null}
        </div>
        <div className="flex gap-8 md:ml-auto md:text-right">
          <div>
            <dt className="text-dense text-muted-foreground">To accounts</dt>
            <dd className="font-medium">{formatMoney(out === 0 ? 0 : -out)}</dd>
          </div>
          <div>
            <dt className="text-dense text-muted-foreground">Back to pool</dt>
            <dd className={clsx('font-medium', back > 0 && 'text-success-text')}>{formatCredit(back)}</dd>
          </div>
        </div>
      </dl>
      <div aria-hidden className="mb-2.5 flex h-3 gap-0.5">
        {parts.map(({ id, value }) => (
          <i
            key={id}
            className={clsx(
              'basis-0 rounded-[3px] transition-[flex-grow] duration-450 ease-standard motion-reduce:transition-none',
              fills[id],
              value > 0 ? 'min-w-0.75' : 'hidden',
            )}
            style={{ flexGrow: value }}
          />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-caption text-muted-foreground">
        {shown.map(({ id, label }) => (
          <li key={id} className="flex items-center gap-1.5">
            <i aria-hidden className={clsx('size-2 rounded-[2px]', fills[id])} />
            {label}
          </li>
        ))}
        <li className="md:ml-auto">Total {formatMoney(pool + held)} does not change</li>
      </ul>
    </section>
  )
}
