import { lowBalanceRupees } from '@carillon/contract/constants'
import clsx from 'clsx'
import { ArrowRight, ChevronUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { splitLines, type CountryPart } from '../lib/country-split.ts'
import { countOf, formatCount, formatMoney, formatUnitPrice } from '../lib/format.ts'
import { Spinner } from './spinner.tsx'

export type Cost = {
  people: number
  /** Absent if messages are not sent in parts. */
  parts?: number | undefined
  pricePerPart: number | null
  /** Prices by country; several replace the single price. */
  prices?: readonly CountryPart[]
  cost: number
  /** Minimum cost, if nobody fails over. */
  leastCost?: number | undefined
  balance: number
  balanceAfter: number
  /** Missing balance; 0 if it is sufficient. */
  shortfall: number
}

type CostBarProps = {
  /** Undefined if it cannot be computed yet. */
  cost: Cost | undefined
  /** A newer estimate is loading. */
  updating?: boolean
  /** Back and next, or send. */
  actions?: ReactNode
}

/** Cost of the send and remaining balance; amber if low, red if insufficient. */
export function CostBar({ cost, updating, actions }: CostBarProps) {
  const [open, setOpen] = useState(false)
  return (
    <section
      aria-label="Cost"
      data-foot
      className="sticky bottom-0 z-10 flex min-h-15 items-center gap-5 border-t border-border bg-card py-2 whitespace-nowrap tabular-nums screen-x max-md:flex-col max-md:items-stretch max-md:gap-0 max-md:p-0"
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-10 items-center gap-2 px-4 text-left text-dense md:hidden"
      >
        <Summary cost={cost} />
        <ChevronUp aria-hidden className={clsx('ml-auto size-4 transition-transform', open && 'rotate-180')} />
      </button>
      <div className={clsx('flex min-w-0 flex-1 max-md:px-4', !open && 'max-md:hidden')}>
        <dl className="flex min-w-0 max-md:flex-1 max-md:flex-col">
          <Entries cost={cost} />
        </dl>
        {updating ? (
          <div className="flex items-center pl-4 text-muted-foreground">
            <Spinner />
            <span className="sr-only">Counting</span>
          </div>
        ) : null}
      </div>
      <div className="flex items-center gap-2 max-md:border-t max-md:border-line max-md:px-4 max-md:py-2.5 max-md:pb-[calc(10px+env(safe-area-inset-bottom))] [&_button]:h-10 max-md:[&_button]:h-12 max-md:[&_button:last-child]:flex-1">
        {actions}
      </div>
    </section>
  )
}

function Entries({ cost }: { cost: Cost | undefined }) {
  if (!cost) {
    return (
      <Entry label="Cost">
        <span className="font-normal text-muted-foreground">Shown once audience, template and values are set</span>
      </Entry>
    )
  }
  const { people, parts, shortfall, leastCost = cost.cost } = cost
  return (
    <>
      <Entry label="People">{formatCount(people)}</Entry>
      {parts === undefined ? null : <Entry label="Parts">{formatCount(parts)}</Entry>}
      <Rate cost={cost} />
      <Entry label={leastCost < cost.cost ? 'Cost, between' : 'Maximum cost'}>
        {leastCost < cost.cost ? <span>{formatMoney(leastCost)} and</span> : null}
        <span className="font-semibold">{formatMoney(cost.cost)}</span>
      </Entry>
      <Entry label="Balance">
        <span className="font-normal text-muted-foreground max-xl:hidden">{formatMoney(cost.balance)}</span>
        <ArrowRight aria-hidden className="size-4 text-muted-foreground max-xl:hidden" />
        <span className={afterTone(cost)}>
          {shortfall > 0 ? `${formatMoney(shortfall)} short` : `${formatMoney(cost.balanceAfter)} after`}
        </span>
      </Entry>
    </>
  )
}

/** The unit price, or the breakdown by country. */
function Rate({ cost: { prices = [], pricePerPart, parts } }: { cost: Cost }) {
  if (prices.length > 1) {
    return (
      <Entry label="Rate by country" isSpare>
        <span className="grid text-dense leading-4.5 max-md:justify-items-end">
          {splitLines(prices, 2).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      </Entry>
    )
  }
  return (
    <Entry label="Rate" isSpare>
      {pricePerPart === null ? (
        <span className="text-warning-text">Rate not set</span>
      ) : (
        `${formatUnitPrice(pricePerPart)} / ${parts === undefined ? 'message' : 'part'}`
      )}
    </Entry>
  )
}

/** Optional entries are hidden in narrow windows. */
function Entry({ label, isSpare, children }: { label: string; isSpare?: boolean; children: ReactNode }) {
  return (
    <div
      className={clsx(
        'border-border px-4.5 md:max-xl:px-3 first:pl-0! not-first:border-l max-md:flex max-md:min-h-9 max-md:items-center max-md:justify-between max-md:gap-4 max-md:py-1 max-md:border-line max-md:px-0 max-md:not-first:border-t max-md:not-first:border-l-0',
        isSpare && 'md:max-xl:hidden',
      )}
    >
      <dt className="text-caption text-muted-foreground">{label}</dt>
      <dd className="flex items-center gap-1.5 font-medium">{children}</dd>
    </div>
  )
}

function Summary({ cost }: { cost: Cost | undefined }) {
  if (!cost) return <span className="text-muted-foreground">Cost appears here</span>
  return (
    <>
      <span>{countOf(cost.people, 'person', 'people')}</span>
      <b className="font-semibold">{formatMoney(cost.cost)}</b>
      <span className={afterTone(cost)}>
        {cost.shortfall > 0 ? `${formatMoney(cost.shortfall)} short` : `${formatMoney(cost.balanceAfter)} after`}
      </span>
    </>
  )
}

function afterTone({ shortfall, balanceAfter }: Cost): string {
  if (shortfall > 0) return 'text-danger-text'
  return balanceAfter < lowBalanceRupees ? 'text-warning-text' : ''
}
