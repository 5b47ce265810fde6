import { formatCount, formatMoney } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { Kbd, Keys } from '../kbd.tsx'
import type { Split } from './transfers.ts'

type TransferFootProps = { split: Split; transfers: number; onClear: () => void; onReview: () => void }

/** Summary of the transfers, with buttons to clear and review. */
export function TransferFoot({ split: { pool, out, back }, transfers, onClear, onReview }: TransferFootProps) {
  const figures = [
    { label: 'Transfers', value: formatCount(transfers) },
    { label: 'Out', value: formatMoney(out) },
    { label: 'Back', value: formatMoney(back) },
  ]
  return (
    <section
      aria-label="Transfer summary"
      className="sticky bottom-0 z-10 mt-auto flex min-h-15 items-center gap-3 border-t border-border bg-background py-2 screen-x"
    >
      <dl className="flex min-w-0 flex-1 tabular-nums [&_dd]:text-dense [&_dd]:font-medium [&_dt]:text-caption [&_dt]:text-muted-foreground">
        {figures.map(({ label, value }) => (
          <div key={label} className="mr-4 border-r border-line pr-4 max-lg:hidden">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="min-w-0">
          <dt>Pool</dt>
          <dd className="truncate">
            <span className="text-muted-foreground max-md:hidden">{formatMoney(pool)} → </span>
            <span className={pool - out + back < 0 ? 'text-danger-text' : undefined}>
              {formatMoney(pool - out + back)}
            </span>
          </dd>
        </div>
      </dl>
      <span className="flex items-center gap-1 text-caption text-muted-foreground max-xl:hidden">
        <Kbd name="↑" /> <Kbd name="↓" /> rows
        <span className="w-2" />
        <Keys names={['⇧', '↑']} /> 500 more
      </span>
      <Button variant="ghost" className="max-md:h-11" aria-disabled={transfers === 0} onClick={onClear}>
        Clear
      </Button>
      <Button variant="primary" className="max-md:h-11" aria-disabled={transfers === 0} onClick={onReview}>
        {transfers === 0 ? 'Review transfers' : `Review ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}`}
      </Button>
    </section>
  )
}
