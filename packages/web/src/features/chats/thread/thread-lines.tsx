import type { ThreadItemOf } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import {
  AlarmClock,
  Ban,
  Bot,
  CalendarCheck,
  CheckCheck,
  Clock,
  CornerUpRight,
  Flag,
  Headset,
  Lock,
  MessagesSquare,
  Pencil,
  RotateCcw,
  ThumbsUp,
  Tag,
  Trash2,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import type { Channel } from '@carillon/contract/channels'
import { formatDate, formatTime, isToday } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { eventText } from '../chat-labels.ts'
import { discardReply, retryReply, type OutboxEntry } from '../state/outbox.ts'
import { findTemplate } from '../state/template-drafts.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { BubbleBody } from './bubble-body.tsx'
import { NotDelivered } from './bubble.tsx'
import { MessageText } from './message-text.tsx'

const weekday = new Intl.DateTimeFormat('en-IN', { weekday: 'long' })

export function DayLine({ at }: { at: string }) {
  return <Separator>{isToday(at) ? 'Today' : `${weekday.format(new Date(at))}, ${formatDate(at)}`}</Separator>
}

export function UnreadLine({ count }: { count: number }) {
  return <Separator isBrand>{count === 1 ? '1 unread message' : `${count} unread messages`}</Separator>
}

function Separator({ children, isBrand }: { children: string; isBrand?: boolean }) {
  const line = clsx('h-px flex-1', isBrand ? 'bg-brand opacity-40' : 'bg-line')
  return (
    <p
      className={clsx(
        'flex items-center gap-3 pt-1.5 pb-2.5 text-caption whitespace-nowrap',
        isBrand ? 'font-medium text-brand-text' : 'text-muted-foreground',
      )}
    >
      <span aria-hidden className={line} />
      {children}
      <span aria-hidden className={line} />
    </p>
  )
}

const eventIcons: Record<ThreadItemOf<'event'>['event'], LucideIcon> = {
  opened: MessagesSquare,
  assigned: Headset,
  unassigned: Headset,
  team_assigned: UsersRound,
  resolved: CheckCheck,
  reopened: RotateCcw,
  snoozed: AlarmClock,
  woken: AlarmClock,
  taken_over: Headset,
  handed_to_bot: Bot,
  bot_paused: Bot,
  blocked: Ban,
  unblocked: Ban,
  priority_changed: Flag,
  labels_changed: Tag,
  contact_merged: UsersRound,
  contact_split: UsersRound,
  opted_out: Ban,
  reply_scheduled: CalendarCheck,
  reply_cancelled: CalendarCheck,
  rated: ThumbsUp,
}

/** What happened to the conversation, in the middle. */
export function EventLine({ item }: { item: ThreadItemOf<'event'> }) {
  const Icon = eventIcons[item.event]
  const { actor } = item
  return (
    <p
      dir="auto"
      className="px-4 pb-2.5 text-center text-caption text-balance text-muted-foreground [overflow-wrap:anywhere]"
    >
      <Icon aria-hidden className="mr-1.5 inline size-3.5 align-[-2px]" />
      {actor ? (
        <b className="text-foreground">
          {actor.name}
          {actor.impersonatedBy ? ` (${actor.impersonatedBy})` : ''}{' '}
        </b>
      ) : null}
      {eventText(item)}{' '}
      <time dateTime={item.at} className="ml-0.5 whitespace-nowrap tabular-nums">
        {formatTime(item.at)}
      </time>
    </p>
  )
}

type NoteProps = { item: ThreadItemOf<'note'>; accountId: string | undefined; channel: Channel; isMarked: boolean }

export function NoteBubble({ item, accountId, channel, isMarked }: NoteProps) {
  const { author, text, at } = item
  const name = author.impersonatedBy ? `${author.name}, by ${author.impersonatedBy}` : author.name
  return (
    <div data-item={item.id} className="flex w-full flex-col items-end pb-2">
      <div
        className={clsx(
          'max-w-[min(388px,86%)] overflow-clip rounded-xl rounded-br-sm bg-warning-muted px-3 py-2 leading-[21px] text-warning-text',
          isMarked && 'ring-2 ring-ring',
        )}
      >
        <MessageText text={text} channel={channel} />
      </div>
      <p className="mx-0.5 mt-[3px] flex items-center gap-1 text-caption text-muted-foreground tabular-nums">
        <Lock aria-hidden className="size-3" />
        Note by {author._id === accountId ? 'you' : name}, only your team sees this ·{' '}
        <time dateTime={at}>{formatTime(at)}</time>
      </p>
    </div>
  )
}

type WaitingProps = { entry: OutboxEntry; channel: Channel; isLast: boolean; onTemplate: BubbleActions['onTemplate'] }

/** A reply that the server has not accepted yet. */
export function WaitingBubble({ entry, channel, isLast, onTemplate }: WaitingProps) {
  const { state, body, chatId, clientId, at } = entry
  const draft = findTemplate(clientId)
  return (
    <div className={clsx('flex w-full flex-col items-end', isLast || state !== 'sending' ? 'pb-2' : 'pb-[3px]')}>
      <div className="max-w-[min(388px,86%)] overflow-clip rounded-xl rounded-br-sm bg-secondary px-3 py-2 leading-[21px] opacity-80">
        {entry.quoted ? (
          <p className="mb-1.5 flex items-center gap-1 text-dense text-muted-foreground">
            <CornerUpRight aria-hidden className="size-3.5" />
            <span dir="auto" className="message-text truncate">
              {entry.quoted}
            </span>
          </p>
        ) : null}
        <BubbleBody chatId={chatId} channel={channel} body={body} />
      </div>
      {state === 'failed' ? (
        <NotDelivered reason={entry.error ?? 'It was refused'}>
          <Button variant="bad" size="tool" onClick={() => retryReply(clientId)}>
            <RotateCcw aria-hidden /> Retry
          </Button>
          {body.type === 'template' ? null : (
            <Button variant="bad" size="tool" onClick={() => onTemplate()}>
              Send as template
            </Button>
          )}
          {draft ? (
            <Button
              variant="bad"
              size="tool"
              onClick={() => {
                discardReply(clientId)
                onTemplate(draft)
              }}
            >
              <Pencil aria-hidden /> Edit values
            </Button>
          ) : null}
          <Button variant="bad" size="tool" onClick={() => discardReply(clientId)}>
            <Trash2 aria-hidden /> Discard
          </Button>
        </NotDelivered>
      ) : (
        <p className="mx-0.5 mt-[3px] flex items-center gap-1.5 text-caption text-muted-foreground tabular-nums">
          {state === 'waiting' ? 'Waiting to send' : formatTime(at)}
          <Clock aria-hidden className="size-3.5" />
          {state === 'sending' ? <span className="sr-only">Sending</span> : null}
        </p>
      )}
    </div>
  )
}
