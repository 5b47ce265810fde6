import clsx from 'clsx'
import { CloudOff, Info, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const looks = {
  care: {
    tint: 'bg-warning-muted text-warning-text border-[color-mix(in_oklab,var(--warning)_30%,transparent)]',
    icon: TriangleAlert,
  },
  info: { tint: 'bg-info-muted text-info-text border-[color-mix(in_oklab,var(--info)_25%,transparent)]', icon: Info },
  offline: {
    tint: 'bg-info-muted text-info-text border-[color-mix(in_oklab,var(--info)_25%,transparent)]',
    icon: CloudOff,
  },
  bad: {
    tint: 'bg-danger-muted text-danger-text border-[color-mix(in_oklab,var(--destructive)_25%,transparent)]',
    icon: OctagonX,
  },
} as const

type NoticeProps = {
  tone: keyof typeof looks
  children: ReactNode
  actions?: ReactNode
  /** A bar below the header, or a framed panel inside a form. */
  shape?: 'bar' | 'panel'
}

export function Notice({ tone, children, actions, shape = 'panel' }: NoticeProps) {
  const { tint, icon: Icon } = looks[tone]
  // On phones a panel's text uses the full width, with actions below.
  const isStacked = shape === 'panel' && Boolean(actions)
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={clsx(
        'flex min-h-10 shrink-0 items-center gap-2 py-1 text-dense',
        shape === 'bar' ? 'screen-x border-b' : 'rounded-md border px-3 py-2',
        isStacked && 'max-md:flex-wrap',
        tint,
      )}
    >
      <div className={clsx('flex min-w-0 flex-1 items-start gap-2', isStacked && 'max-md:basis-full')}>
        <span className="flex h-lh shrink-0 items-center">
          <Icon aria-hidden className="size-4" />
        </span>
        <div className="min-w-0 flex-1">{children}</div>
      </div>
      {actions ? (
        <div className={clsx('flex shrink-0 items-center gap-1', isStacked && 'max-md:flex-wrap max-md:pl-6')}>
          {actions}
        </div>
      ) : null}
    </div>
  )
}
