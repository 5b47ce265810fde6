import clsx from 'clsx'
import { Check as CheckIcon, ChevronDown, OctagonX, TriangleAlert } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Pill } from './pill.tsx'

export type CheckLevel = 'pass' | 'advice' | 'blocker'

export type CheckAction = { label: string; onPress: () => void; pressed?: boolean; quiet?: boolean }

export type Check = {
  id: string
  level: CheckLevel
  title: string
  detail?: ReactNode
  actions?: readonly CheckAction[]
}

type ChecksPanelProps = {
  checks: readonly Check[]
  title?: string
  /** Passes stand in one line that opens; for the narrow rail of a builder. */
  fold?: boolean
  /** Said while the checks run for the first time. */
  waiting?: string
}

const rank: Record<CheckLevel, number> = { blocker: 0, advice: 1, pass: 2 }

/** What stands in the way first, then advice with what can be done about it, then what is in order. */
export function ChecksPanel({ checks, title = 'Checks', fold = false, waiting }: ChecksPanelProps) {
  const id = useId()
  const sorted = checks.toSorted((a, b) => rank[a.level] - rank[b.level])
  const open = fold ? sorted.filter(({ level }) => level !== 'pass') : sorted
  const folded = fold ? sorted.filter(({ level }) => level === 'pass') : []
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className={clsx('flex items-center gap-2', fold ? 'h-11' : 'mb-1 min-h-8')}>
        <h2 id={id} className={clsx('flex-1 font-semibold', !fold && 'text-section')}>
          {title}
        </h2>
        <ChecksCount checks={checks} />
      </div>
      {checks.length === 0 && waiting ? (
        <p className="border-t border-line py-3 text-dense text-muted-foreground">{waiting}</p>
      ) : null}
      <ul className="border-t border-border">
        {open.map((check) => (
          <CheckRow key={check.id} check={check} narrow={fold} />
        ))}
        {folded.length > 0 ? <FoldedPasses checks={folded} /> : null}
      </ul>
    </section>
  )
}

export function ChecksCount({ checks }: { checks: readonly Check[] }) {
  const count = (level: CheckLevel) => checks.filter((check) => check.level === level).length
  return (
    <span className="flex gap-2" role="status">
      {count('blocker') > 0 ? (
        <Pill tone="bad" icon={OctagonX}>
          {count('blocker')} to fix
        </Pill>
      ) : null}
      {count('advice') > 0 ? (
        <Pill tone="care" icon={TriangleAlert}>
          {count('advice')} advice
        </Pill>
      ) : null}
      {count('pass') > 0 ? (
        <Pill tone="good" icon={CheckIcon}>
          {count('pass')} pass
        </Pill>
      ) : null}
    </span>
  )
}

const marks = {
  pass: { icon: CheckIcon, tint: 'text-success-text', says: 'Passed' },
  advice: { icon: TriangleAlert, tint: 'text-warning-text', says: 'Advice' },
  blocker: { icon: OctagonX, tint: 'text-danger-text', says: 'To fix' },
} as const

function CheckRow({ check, narrow }: { check: Check; narrow: boolean }) {
  const { icon: Icon, tint, says } = marks[check.level]
  const isPass = check.level === 'pass'
  return (
    <li
      className={clsx(
        'flex items-start gap-x-3 gap-y-1 border-b border-line last:border-border max-md:flex-wrap',
        isPass ? 'py-2' : 'py-2.5',
        narrow && 'gap-x-2 text-dense last:border-0',
      )}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4', tint)} />
      <div
        className={clsx(
          'min-w-0 flex-1 max-md:basis-[calc(100%-28px)]',
          isPass && !narrow && 'flex flex-wrap items-baseline gap-x-3',
        )}
      >
        <p className={clsx('leading-5', !isPass && !narrow && 'font-medium')}>
          <span className="sr-only">{says}: </span>
          {check.title}
        </p>
        {check.detail ? (
          <p className={clsx('text-muted-foreground tabular-nums', narrow ? 'text-caption' : 'text-dense')}>
            {check.detail}
          </p>
        ) : null}
      </div>
      {check.actions && check.actions.length > 0 ? (
        <div className="-my-0.5 flex shrink-0 gap-1 max-md:ml-7">
          {check.actions.map((action) => (
            <Button
              key={action.label}
              size="tool"
              variant={narrow || action.quiet || action.pressed !== undefined ? 'ghost' : 'outline'}
              aria-pressed={action.pressed}
              className="aria-pressed:bg-brand-muted aria-pressed:text-brand-text max-md:h-9"
              onClick={action.onPress}
            >
              {action.label}
            </Button>
          ))}
        </div>
      ) : null}
    </li>
  )
}

function FoldedPasses({ checks }: { checks: readonly Check[] }) {
  const [isOpen, setOpen] = useState(false)
  const names = checks.map(({ title }) => title)
  return (
    <>
      <li>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-8 w-full items-center gap-2 text-left text-dense text-muted-foreground hover:text-foreground"
        >
          <CheckIcon aria-hidden className="size-4 text-success-text" />
          <span className="min-w-0 flex-1 truncate">
            {names.slice(0, 2).join(', ')}
            {names.length > 2 ? ` and ${names.length - 2} more` : ''}
          </span>
          <ChevronDown
            aria-hidden
            className={clsx('size-3.5 transition-transform duration-120', isOpen && 'rotate-180')}
          />
        </button>
      </li>
      {isOpen ? checks.map((check) => <CheckRow key={check.id} check={check} narrow />) : null}
    </>
  )
}
