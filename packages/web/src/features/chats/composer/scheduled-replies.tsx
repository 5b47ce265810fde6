import type { Conversation, ScheduledReply } from '@carillon/contract/conversation-records'
import { CalendarCheck, TriangleAlert, X } from 'lucide-react'
import { useApiWrite } from '../../../lib/use-api.ts'
import { IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { formatMoment } from '../format-moment.ts'

type ScheduledRepliesProps = { conversation: Conversation; scheduled: readonly ScheduledReply[] }

/** Replies that are sent later, and those that could not be sent, above the composer. */
export function ScheduledReplies({ conversation, scheduled }: ScheduledRepliesProps) {
  const cancel = useApiWrite('conversations.unschedule', {
    refreshes: ['conversations.get'],
    onError: ({ message }) => toast.error(message),
  })
  const shown = scheduled.filter(
    ({ result }) => result === 'waiting' || result === 'outside_window' || result === 'refused',
  )
  if (shown.length === 0) return null
  return (
    <ul aria-label="Scheduled replies" className="mb-2 flex flex-col rounded-lg border border-border">
      {shown.map(({ id, text, sendAt, author, result, detail }) => (
        <li key={id} className="flex min-h-9 items-center gap-2 border-line pr-1 pl-3 text-dense not-first:border-t">
          {result === 'waiting' ? (
            <CalendarCheck aria-hidden className="size-3.5 text-muted-foreground" />
          ) : (
            <TriangleAlert aria-hidden className="size-3.5 text-warning-text" />
          )}
          <span dir="auto" className="message-text min-w-0 flex-1 truncate">
            {text}
          </span>
          <span className="shrink-0 text-caption text-muted-foreground" title={`By ${author.name}`}>
            {result === 'waiting' ? formatMoment(sendAt) : `Not sent: ${detail ?? 'the window was closed'}`}
          </span>
          {result === 'waiting' ? (
            <IconButton
              label="Cancel this reply"
              size="tool"
              onClick={() => cancel.mutate({ path: { id: conversation.chatId, replyId: id } })}
            >
              <X aria-hidden />
            </IconButton>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
