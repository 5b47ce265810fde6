import clsx from 'clsx'
import { Check, ChevronDown, OctagonX, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { countOf } from '../lib/format.ts'
import { Pill } from './pill.tsx'

export type CheckLevel = 'pass' | 'advice' | 'blocker'

export type CheckItem = {
  id: string
  level: CheckLevel
  title: ReactNode
  detail?: ReactNode
  /** Buttons that fix or show it. */
  actions?: ReactNode
}

type ChecksPanelProps = {
  checks: readonly CheckItem[]
  /** Collapses passed checks into one small line, for the narrow rail. */
  folded?: boolean
  /** Collapses passed checks into one line of normal size. */
  passesFolded?: boolean
  title?: string
}

const order: Record<CheckLevel, number> = { blocker: 0, advice: 1, pass: 2 }

/** Errors, suggestions and passed checks, in this order. */
export function ChecksPanel({ checks, folded = false, passesFolded = folded, title = 'Checks' }: ChecksPanelProps) {
  const [open, setOpen] = useState(false)
  const sorted = [...checks].sort((a, b) => order[a.level] - order[b.level])
  const passes = sorted.filter(({ level }) => level === 'pass')
  const shown = passesFolded ? sorted.filter(({ level }) => level !== 'pass') : sorted

  return (
    <section aria-label={title} aria-live="polite" className="w-full">
      <header className={clsx('flex items-center gap-2', folded ? 'h-11' : 'mb-1 min-h-8')}>
        <h2 className={folded ? 'font-semibold' : 'text-section font-semibold'}>{title}</h2>
        <span className="ml-auto flex gap-2">
          <Tally checks={checks} folded={folded} />
        </span>
      </header>
      <ul className={clsx('border-t', folded ? 'border-line text-dense' : 'border-border')}>
        {shown.map((check) => (
          <CheckRow key={check.id} check={check} folded={folded} />
        ))}
        {passesFolded && passes.length > 0 ? (
          <PassFold passes={passes} folded={folded} open={open} onToggle={() => setOpen(!open)} />
        ) : null}
        {passesFolded && open ? passes.map((check) => <CheckRow key={check.id} check={check} folded={folded} />) : null}
      </ul>
    </section>
  )
}

type PassFoldProps = { passes: readonly CheckItem[]; folded: boolean; open: boolean; onToggle: () => void }

/** One expandable line for all passed checks. */
function PassFold({ passes, folded, open, onToggle }: PassFoldProps) {
  return (
    <li className={clsx(!folded && 'border-b border-border')}>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className={clsx(
          'flex w-full items-center py-1.5 text-left text-muted-foreground',
          folded ? 'min-h-8 gap-2' : 'min-h-10 gap-3 hover:text-foreground',
        )}
      >
        <Check aria-hidden className="size-4 shrink-0 text-success-text" />
        <span className={clsx('truncate', folded ? 'min-w-0 flex-1' : 'shrink-0 text-foreground')}>
          {countOf(passes.length, 'check passes', 'checks pass')}
        </span>
        {folded ? null : (
          <span aria-hidden className="min-w-0 flex-1 truncate text-dense max-md:invisible">
            {open ? null : namesOf(passes)}
          </span>
        )}
        <ChevronDown aria-hidden className={clsx('size-4 shrink-0 transition-transform', open && 'rotate-180')} />
      </button>
    </li>
  )
}

/** Names of the checks, comma-separated. */
function namesOf(checks: readonly CheckItem[]): string {
  return checks.flatMap(({ title }) => (typeof title === 'string' ? [title] : [])).join(' · ')
}

/** The number of passed checks is repeated in the collapsed line, so the narrowest rail omits it. */
function Tally({ checks, folded }: { checks: readonly CheckItem[]; folded: boolean }) {
  const count = (level: CheckLevel) => checks.filter((check) => check.level === level).length
  return (
    <>
      {count('blocker') > 0 ? (
        <Pill tone="bad" icon={OctagonX}>
          {count('blocker')} to fix
        </Pill>
      ) : null}
      {count('advice') > 0 ? (
        <Pill tone="care" icon={TriangleAlert}>
          {countOf(count('advice'), 'suggestion')}
        </Pill>
      ) : null}
      {count('pass') > 0 ? (
        <span className={clsx('contents', folded && 'lg:max-xl:hidden')}>
          <Pill tone="good" icon={Check}>
            {count('pass')} pass
          </Pill>
        </span>
      ) : null}
    </>
  )
}

const icons = {
  blocker: <OctagonX aria-hidden className="mt-0.5 size-4 text-danger-text" />,
  advice: <TriangleAlert aria-hidden className="mt-0.5 size-4 text-warning-text" />,
  pass: <Check aria-hidden className="mt-0.5 size-4 text-success-text" />,
} as const
const words = { blocker: 'Must be fixed: ', advice: 'Suggestion: ', pass: 'Passes: ' } as const

function CheckRow({ check, folded }: { check: CheckItem; folded: boolean }) {
  const { level, title, detail, actions } = check
  const stacked = level !== 'pass' || folded
  return (
    <li
      className={clsx(
        'flex items-start gap-3 border-b border-line max-md:flex-wrap',
        stacked ? 'py-2' : 'py-1.5',
        folded ? 'gap-2 last:border-0' : 'last:border-border',
      )}
    >
      {icons[level]}
      <div
        className={clsx(
          'min-w-0 flex-1',
          actions && 'max-md:basis-[calc(100%-28px)]',
          !stacked && 'flex flex-wrap items-baseline gap-x-3',
        )}
      >
        <p className={clsx(level !== 'pass' && 'font-medium')}>
          <span className="sr-only">{words[level]}</span>
          {title}
        </p>
        {detail ? (
          <p className={clsx('text-muted-foreground tabular-nums', folded ? 'text-caption' : 'text-dense')}>{detail}</p>
        ) : null}
      </div>
      {actions ? (
        <div className="flex shrink-0 flex-wrap justify-end gap-1 max-md:ml-7 max-md:[&_button]:h-9">{actions}</div>
      ) : null}
    </li>
  )
}
