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

const figure = 'mt-0.5 block text-metric font-semibold max-md:text-title'

/** The pool before and after. The bar's total is the pool plus all accounts, which transfers do not change. */
export function PoolBar({ split, accounts, transfers }: PoolBarProps) {
  const { pool, out, back, held } = split
  const after = pool - out + back
  const parts = [
    { id: 'pool', label: 'Pool', value: Math.max(0, pool - out) },
    { id: 'back', label: 'Back to pool', value: back },
    { id: 'out', label: 'To accounts', value: Math.min(pool + back, out) },
    { id: 'accounts', label: `Allocated to ${countOf(accounts, 'account')}, ${formatMoney(held)}`, value: held - back },
  ] as const
  const shown = parts.filter(({ id, value }) => value > 0 || id === 'pool' || id === 'accounts')
  return (
    <section aria-label="Pool" className="border-b border-border pb-4 tabular-nums screen-x">
      <div className="mb-3.5 flex flex-wrap items-end gap-x-5 gap-y-2.5">
        <p>
          <Label>Pool now</Label>
          <b className={figure}>{formatMoney(pool)}</b>
        </p>
        <ArrowRight aria-hidden className="mb-2 size-4 text-muted-foreground max-md:hidden" />
        <p role="status">
          <Label>{transfers === 0 ? 'After transfers' : `After ${countOf(transfers, 'transfer')}`}</Label>
          <b className={clsx(figure, after < 0 && 'text-danger-text')}>{formatMoney(after)}</b>
          {after < 0 ? <span className="block text-caption text-danger-text">Exceeds the pool</span> : null}
        </p>
        <div className="flex gap-8 md:ml-auto md:text-right">
          <p>
            <Label>To accounts</Label>
            <b className="font-medium">{formatMoney(out === 0 ? 0 : -out)}</b>
          </p>
          <p>
            <Label>Back to pool</Label>
            <b className={clsx('font-medium', back > 0 && 'text-success-text')}>{formatCredit(back)}</b>
          </p>
        </div>
      </div>
      <div aria-hidden className="mb-2.5 flex h-3 gap-0.5">
        {parts.map(({ id, value }) => (
          <i
            key={id}
            className={clsx(
              'basis-0 rounded-[3px] transition-[flex-grow] duration-(--layout-duration) ease-standard motion-reduce:transition-none',
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

function Label({ children }: { children: string }) {
  return <span className="block text-dense text-muted-foreground">{children}</span>
}
