import clsx from 'clsx'

export type TrackerBar = {
  key: string
  tone: 'good' | 'care' | 'bad' | 'none'
  /** Tooltip text. */
  title: string
}

const fills = { good: 'bg-success', care: 'bg-warning', bad: 'bg-destructive', none: 'bg-track' } as const
const heights = { good: 'h-full', care: 'h-full', bad: 'h-full', none: 'h-1.5' } as const

/** A strip of days or hours, latest last; colour and height show the status. */
export function Tracker({ bars, summary }: { bars: readonly TrackerBar[]; summary: string }) {
  return (
    <div role="img" aria-label={summary} className="flex h-6 w-full items-end gap-0.5">
      {bars.map(({ key, tone, title }) => (
        <span key={key} title={title} className="flex h-full min-w-0 flex-1 items-end">
          <span className={clsx('w-full rounded-[2px]', fills[tone], heights[tone])} />
        </span>
      ))}
    </div>
  )
}
