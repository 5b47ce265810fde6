import clsx from 'clsx'

const fills = {
  brand: 'bg-brand',
  good: 'bg-success',
  care: 'bg-warning',
  bad: 'bg-destructive',
  mute: 'bg-muted-foreground',
} as const

type ProgressProps = {
  /** 0 to 100. */
  percent: number
  /** Label for screen readers. */
  label: string
  tone?: keyof typeof fills
  thick?: boolean
  className?: string
}

export function Progress({ percent, label, tone = 'brand', thick, className }: ProgressProps) {
  const value = Math.min(100, Math.max(0, percent))
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(value)}
      aria-valuemin={0}
      aria-valuemax={100}
      className={clsx('block overflow-hidden rounded-full bg-track', thick ? 'h-1.5' : 'h-1', className ?? 'w-full')}
    >
      <span
        className={clsx(
          'block h-full origin-left rounded-full transition-transform duration-(--layout-duration) ease-standard',
          fills[tone],
        )}
        style={{ transform: `scaleX(${value / 100})` }}
      />
    </span>
  )
}
