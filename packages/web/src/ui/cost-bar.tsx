import clsx from 'clsx'
import { ArrowRight, ChevronUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatMoney, missing } from '../lib/format.ts'

export type CostFact = { label: string; value: ReactNode; strong?: boolean; note?: ReactNode }

type CostBarProps = {
  facts: readonly CostFact[]
  /** Rupees before and after the send; absent while they are not known. */
  balance?: { before: number; after: number } | undefined
  /** What it costs, for the one line of a phone. */
  cost?: number | undefined
  /** The back and forward buttons. */
  actions: ReactNode
  /** Stands over the bar: what to do when the balance is short. */
  notice?: ReactNode
  /** On a phone, above the line: the strip that opens the preview. */
  peek?: ReactNode
}

const low = 1000

/** What the send takes and what it leaves, always in sight. On a phone one line that opens. */
export function CostBar({ facts, balance, cost, actions, notice, peek }: CostBarProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <footer className="sticky bottom-0 z-20 shrink-0 border-t border-border bg-card tabular-nums max-md:shadow-[0_-12px_24px_-16px_oklch(0.2_0.02_240/0.25)]">
      {notice}
      <div className="md:hidden">
        {peek}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-10 w-full items-center gap-2 px-4 text-left text-dense whitespace-nowrap"
        >
          <b className="font-semibold">{cost === undefined ? missing : formatMoney(cost)}</b>
          {balance ? (
            <span className="min-w-0 truncate text-muted-foreground">
              of {formatMoney(balance.before)}, leaves <After after={balance.after} />
            </span>
          ) : null}
          <ChevronUp
            aria-hidden
            className={clsx('ml-auto size-4 transition-transform duration-120', isOpen && 'rotate-180')}
          />
        </button>
        {isOpen ? (
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2 px-4 pb-3">
            {facts.map((fact) => (
              <Fact key={fact.label} fact={fact} />
            ))}
          </dl>
        ) : null}
        <div className="flex gap-2 px-4 pb-[max(12px,env(safe-area-inset-bottom))]">{actions}</div>
      </div>
      <div className="screen-x flex min-h-15 items-center gap-5 py-2 max-md:hidden">
        <dl className="flex min-w-0 flex-1 items-center whitespace-nowrap">
          {facts.map((fact) => (
            <Fact
              key={fact.label}
              fact={fact}
              className="border-border pr-4.5 not-first:border-l not-first:pl-4.5 max-lg:hidden last:max-lg:block"
            />
          ))}
          <div className="border-l border-border pl-4.5">
            <dt className="text-caption text-muted-foreground">Balance</dt>
            <dd className="flex items-center gap-1.5 font-medium">
              {balance ? (
                <>
                  <span className="font-normal text-muted-foreground">{formatMoney(balance.before)}</span>
                  <ArrowRight aria-label="then" className="size-3.5 text-muted-foreground" />
                  <After after={balance.after} /> after
                </>
              ) : (
                missing
              )}
            </dd>
          </div>
        </dl>
        <div className="flex shrink-0 items-center gap-2">{actions}</div>
      </div>
    </footer>
  )
}

function Fact({ fact, className }: { fact: CostFact; className?: string }) {
  return (
    <div className={className}>
      <dt className="text-caption text-muted-foreground">{fact.label}</dt>
      <dd className={fact.strong ? 'font-semibold' : 'font-medium'}>
        {fact.value}
        {fact.note ? (
          <small className="ml-1.5 text-caption font-normal text-muted-foreground">{fact.note}</small>
        ) : null}
      </dd>
    </div>
  )
}

function After({ after }: { after: number }) {
  return (
    <span className={clsx(after < 0 ? 'text-danger-text' : after < low ? 'text-warning-text' : 'text-foreground')}>
      {formatMoney(after)}
    </span>
  )
}
