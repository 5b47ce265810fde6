import clsx from 'clsx'
import { Check, CheckCheck, CircleAlert, Clock, Minus, type LucideIcon } from 'lucide-react'
import type { MessageStatus } from '@carillon/contract/campaign-records'
import { messageStatusLabel } from './pill.tsx'

const icons: Record<MessageStatus, LucideIcon> = {
  queued: Clock,
  skipped: Minus,
  cancelled: Minus,
  unknown: Clock,
  unconfirmed: Clock,
  sent: Check,
  failed: CircleAlert,
  delivered: CheckCheck,
  read: CheckCheck,
}

/** Message status as ticks, with the label for screen readers or next to it. */
export function Tick({ status, withLabel = false }: { status: MessageStatus; withLabel?: boolean }) {
  const Icon = icons[status]
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1',
        status === 'read' && 'text-brand-text',
        status === 'failed' && 'text-danger-text',
      )}
    >
      <Icon aria-hidden className="size-3.5 stroke-2!" />
      <span className={withLabel ? undefined : 'sr-only'}>{messageStatusLabel(status)}</span>
    </span>
  )
}
