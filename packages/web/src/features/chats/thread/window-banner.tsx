import type { Conversation } from '@carillon/contract/conversation-records'
import { ClockAlert } from 'lucide-react'
import { personName, shortName } from '../person-name.ts'
import { formatTime } from '../../../lib/format.ts'
import { formatLeftInProse, windowOf } from '../state/service-window.ts'
import { useServerNow } from '../state/server-clock.ts'

/** A line below the header from two hours before the window closes; prominent in the last fifteen minutes. */
export function WindowBanner({ conversation }: { conversation: Conversation }) {
  const { level, leftMs } = windowOf(conversation, useServerNow())
  const { windowExpiresAt } = conversation
  if ((level !== 'soon' && level !== 'urgent') || !windowExpiresAt) return null
  return (
    <p
      role="status"
      data-level={level}
      className="flex min-h-8 shrink-0 items-center gap-2 bg-warning-muted px-5 py-1 text-dense text-warning-text data-[level=urgent]:min-h-10 data-[level=urgent]:border-y data-[level=urgent]:border-[color-mix(in_oklab,var(--warning)_40%,transparent)] max-md:px-4"
    >
      <ClockAlert aria-hidden className="size-3.5" />
      <span className="min-w-0">
        <b className="font-semibold tabular-nums">Closes in {formatLeftInProse(leftMs)}</b>
        {level === 'soon' ? `, at ${formatTime(windowExpiresAt)}` : ''}
        <span className="max-md:hidden">. Only a message from {shortName(personName(conversation))} resets it.</span>
      </span>
    </p>
  )
}
