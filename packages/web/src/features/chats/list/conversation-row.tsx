import type { Conversation } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { AlarmClock, Ban, Bot, CircleAlert, Clock, CornerUpLeft, Lock, type LucideIcon } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { typeNames } from '../chat-labels.ts'
import { formatAge } from '../format-age.ts'
import { personName } from '../person-name.ts'
import { PersonAvatar } from '../person-avatar.tsx'
import { useDraft } from '../state/chat-drafts.ts'
import { useOutbox, type OutboxEntry } from '../state/outbox.ts'
import { useTyping } from '../state/presence.ts'
import { formatLeft, windowOf, type ServiceWindow } from '../state/service-window.ts'

type ConversationRowProps = {
  conversation: Conversation
  href: string
  now: number
  isOpen: boolean
  /** Selected for an action on several. */
  isChosen: boolean
  isChoosing: boolean
  /** `follows`: it moves up to the place of a row that leaves. */
  motion: 'leaves' | 'follows' | undefined
  /** Reached by Tab; the arrow keys move from it. */
  isActive: boolean
}

/** A row of the list. Drawn again only if its conversation, its draft or the minute changes. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, href, now, isOpen, isChosen, isChoosing, motion, isActive } = props
  const { chatId, channel, unread, lastMessage } = conversation
  const name = personName(conversation)
  const window = windowOf(conversation, now)
  return (
    <div className={clsx('group/row relative h-16', motion && motions[motion])}>
      <a
        href={href}
        data-chat={chatId}
        tabIndex={isActive ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        className={clsx(
          'grid h-16 grid-cols-[42px_minmax(0,1fr)] items-center gap-3 pr-4 pl-3.5 hover:bg-accent focus-visible:-outline-offset-2',
          'aria-[current=true]:bg-selected aria-[current=true]:before:absolute aria-[current=true]:before:inset-y-0 aria-[current=true]:before:left-0 aria-[current=true]:before:w-0.5 aria-[current=true]:before:bg-brand',
          isChosen && 'bg-selected',
          isChoosing && 'pl-10',
        )}
      >
        <PersonAvatar
          name={name}
          channel={channel}
          isSelected={isOpen}
          tone={window.level === 'urgent' ? 'soon' : window.level}
          share={Math.round(window.share * 100) / 100}
        />
        <span className="flex min-w-0 flex-col gap-px">
          <span className="flex items-center gap-2">
            <b dir="auto" className={clsx('message-text min-w-0 flex-1 truncate', unread > 0 && 'font-semibold')}>
              {name}
            </b>
            <span className="sr-only">
              {channelLabel(channel)}. {describeWindow(window)}
            </span>
            <time dateTime={lastMessage.at} className="text-caption text-muted-foreground tabular-nums">
              {formatAge(lastMessage.at, now)}
            </time>
          </span>
          <span className="flex h-5 items-center gap-2">
            <span
              className={clsx(
                'flex min-w-0 flex-1 items-center gap-1 text-dense leading-5',
                unread > 0 ? 'text-foreground' : 'text-muted-foreground',
              )}
            >
              <LastWords conversation={conversation} />
            </span>
            <Marks conversation={conversation} />
            <WindowLeft window={window} />
            {unread > 0 ? (
              <span className="grid h-4 min-w-4 place-items-center rounded-full bg-brand px-1 text-[11px] leading-4 font-medium text-brand-foreground tabular-nums">
                {unread > 99 ? '99+' : unread}
                <span className="sr-only"> unread</span>
              </span>
            ) : null}
          </span>
        </span>
      </a>
    </div>
  )
})

const motions = {
  leaves: 'animate-row-out',
  follows: '-translate-y-16 transition-transform delay-200 duration-250 ease-out motion-reduce:translate-y-0',
} as const

/** The draft, what failed, or the last message. */
function LastWords({ conversation: { chatId, lastMessage } }: { conversation: Conversation }) {
  const draft = useDraft(chatId)
  const waiting = useOutbox(chatId)
  const isTyping = useTyping(chatId)
  if (isTyping) return <span className="text-brand-text">typing…</span>
  if (waiting.length > 0) return <NotSent waiting={waiting} />
  const written = draft.reply.trim() || draft.note.trim()
  if (written) {
    return (
      <>
        <em className="text-danger-text not-italic">Draft</em>
        <Text>{written}</Text>
      </>
    )
  }
  const { text, type, by, isDeleted } = lastMessage
  if (isDeleted) return <Text>This message was deleted</Text>
  if (by === 'person') return <Text>{text || typeNames[type]}</Text>
  return <Line icon={by === 'bot' ? Bot : CornerUpLeft}>{text || typeNames[type]}</Line>
}

function NotSent({ waiting }: { waiting: readonly OutboxEntry[] }) {
  const failed = waiting.find(({ state }) => state === 'failed')
  if (failed) {
    return (
      <Line icon={CircleAlert} className="text-danger-text">
        Not sent: {failed.error}
      </Line>
    )
  }
  const [first] = waiting
  return <Line icon={Clock}>{first?.state === 'sending' ? first.body.text : 'Waiting to send'}</Line>
}

function Line({ icon: Icon, className, children }: { icon: LucideIcon; className?: string; children: ReactNode }) {
  return (
    <span className={clsx('flex min-w-0 items-center gap-1', className)}>
      <Icon aria-hidden className="size-3.5" />
      <Text>{children}</Text>
    </span>
  )
}

/** A single line; long runs of marks do not leave it. */
function Text({ children }: { children: ReactNode }) {
  return (
    <span dir="auto" className="message-text min-w-0 truncate">
      {children}
    </span>
  )
}

function Marks({ conversation: { status, isBlocked, priority } }: { conversation: Conversation }) {
  return (
    <>
      {priority === 'urgent' || priority === 'high' ? (
        <span
          className={clsx('text-caption font-medium', priority === 'urgent' ? 'text-danger-text' : 'text-warning-text')}
        >
          {priority === 'urgent' ? 'Urgent' : 'High'}
        </span>
      ) : null}
      {status === 'snoozed' ? <Mark icon={AlarmClock} label="Snoozed" /> : null}
      {isBlocked ? <Mark icon={Ban} label="Blocked" /> : null}
    </>
  )
}

function Mark({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return <Icon role="img" aria-label={label} className="size-3.5 text-muted-foreground" />
}

function WindowLeft({ window: { level, leftMs } }: { window: ServiceWindow }) {
  if (level === 'none' || level === 'open') return null
  if (level === 'closed') {
    return (
      <span aria-hidden className="inline-flex items-center gap-0.5 text-caption text-muted-foreground">
        <Lock className="size-3" />
        Closed
      </span>
    )
  }
  return (
    <span aria-hidden className="text-caption font-medium whitespace-nowrap text-warning-text tabular-nums">
      {formatLeft(leftMs)}
    </span>
  )
}

function describeWindow({ level, leftMs }: ServiceWindow): string {
  if (level === 'none') return ''
  return level === 'closed' ? 'Window closed.' : `Window closes in ${formatLeft(leftMs)}.`
}
