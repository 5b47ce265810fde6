import type { Conversation } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Lock } from 'lucide-react'
import { formatMoment } from '../format-moment.ts'
import { formatLeft, formatLeftInProse, windowOf, type ServiceWindow } from '../state/service-window.ts'
import { useServerNow } from '../state/server-clock.ts'

const circumference = 2 * Math.PI * 25

/** The window as a clock of 24 hours. */
export function WindowClock({ conversation }: { conversation: Conversation }) {
  const window = windowOf(conversation, useServerNow())
  const { level } = window
  const { windowExpiresAt } = conversation
  if (level === 'none') return <div className="mt-1 border-t border-border" />
  const isClosed = level === 'closed'
  return (
    <section className="mt-1 flex items-center gap-3.5 border-y border-border py-4">
      <Clock {...window} />
      <div className="min-w-0">
        <b className={clsx('font-semibold tabular-nums', textTones[level])}>
          {isClosed || !windowExpiresAt ? 'Window closed' : `Closes ${formatMoment(windowExpiresAt)}`}
        </b>
        <p className="mt-0.5 text-caption text-muted-foreground">
          {isClosed
            ? 'A template can restart it once the customer answers.'
            : '24 h after the last message of the customer. Then only a template can restart it.'}
        </p>
      </div>
    </section>
  )
}

const textTones = {
  none: '',
  open: 'text-foreground',
  soon: 'text-warning-text',
  urgent: 'text-warning-text',
  closed: 'text-muted-foreground',
} as const

const hour = 3_600_000

function Clock({ level, leftMs, share }: ServiceWindow) {
  const isSoon = level === 'soon' || level === 'urgent'
  return (
    <svg
      viewBox="0 0 56 56"
      role="img"
      aria-label={level === 'closed' ? 'The window is closed' : `${formatLeftInProse(leftMs)} of 24 hours left`}
      className="size-14 shrink-0"
      fill="none"
    >
      <circle
        cx="28"
        cy="28"
        r="25"
        strokeWidth="4"
        className={isSoon ? 'stroke-warning opacity-30' : 'stroke-border'}
      />
      {share > 0 ? (
        <circle
          cx="28"
          cy="28"
          r="25"
          strokeWidth="4"
          strokeDasharray={`${share * circumference} ${circumference}`}
          className={clsx('origin-center -rotate-90', isSoon ? 'stroke-warning' : 'stroke-brand')}
        />
      ) : null}
      {level === 'closed' ? (
        <Lock x={19} y={19} width={18} height={18} className="text-muted-foreground" />
      ) : (
        <text x="28" y="32" textAnchor="middle" className="fill-foreground text-caption font-semibold tabular-nums">
          {leftMs < hour ? formatLeft(leftMs) : `${Math.floor(leftMs / hour)} h`}
        </text>
      )}
    </svg>
  )
}
