import type { NumberMessage } from '@carillon/contract/messages'
import { ClipboardCopy } from 'lucide-react'
import { formatDateTime, formatPhone } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { copy } from '../../../ui/copy.ts'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { MessagePill, messageStatusLabel } from '../../../ui/pill.tsx'
import { When } from '../../../ui/text.tsx'
import { toast } from '../../../ui/toast.tsx'

type NumberJourneyProps = {
  messages: NumberMessage[]
  selected: NumberMessage | undefined
  onSelect: (message: NumberMessage) => void
}

/** Messages to one number, latest first; the selected one is shown on the phone. */
export function NumberJourney({ messages, selected, onSelect }: NumberJourneyProps) {
  return (
    <ol className="flex flex-col">
      {messages.map((message) => (
        <li
          key={`${message.campaignId ?? message.text}-${message.seq}-${message.sentAt ?? ''}`}
          className="border-b border-line"
        >
          <button
            type="button"
            aria-pressed={message === selected}
            onClick={() => onSelect(message)}
            className="screen-x grid min-h-16 w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2.5 text-left hover:bg-accent/50 aria-pressed:bg-sel"
          >
            <ChannelMark channel={message.channel} markOnly />
            <span className="min-w-0">
              <span className="block truncate font-medium">{message.campaignName}</span>
              <span dir="auto" className="block truncate text-left text-dense text-muted-foreground">
                {message.advice ?? message.text}
              </span>
            </span>
            <span className="flex flex-col items-end gap-1">
              <MessagePill status={message.status} />
              <span className="text-caption text-muted-foreground">
                <When at={message.deliveredAt ?? message.failedAt ?? message.sentAt} />
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Delivery proof as text: content, times and status. */
export function CopyProof({ message }: { message: NumberMessage }) {
  const lines = [
    `${formatPhone(message.phoneNumber)} · ${message.campaignName}`,
    `From ${message.header}: ${message.text}`,
    `Status: ${messageStatusLabel(message.status)}${message.code ? ` (${message.code})` : ''}`,
    message.sentAt ? `Sent ${formatDateTime(message.sentAt)}` : '',
    message.deliveredAt ? `Delivered ${formatDateTime(message.deliveredAt)}` : '',
    message.failedAt ? `Failed ${formatDateTime(message.failedAt)}` : '',
  ]
  return (
    <Button size="sm" onClick={() => copy(lines.filter(Boolean).join('\n'), () => toast.success('Proof copied'))}>
      <ClipboardCopy aria-hidden /> Copy proof
    </Button>
  )
}
