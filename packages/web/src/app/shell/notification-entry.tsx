import clsx from 'clsx'
import {
  AtSign,
  BadgeInfo,
  BadgePlus,
  BadgeCheck,
  Ban,
  CircleCheck,
  CalendarX2,
  CirclePause,
  CirclePlay,
  Eye,
  FileCheck,
  FileX,
  Gauge,
  LifeBuoy,
  MessageSquareShare,
  MessageSquareText,
  OctagonX,
  Unplug,
  ShieldAlert,
  UserPlus,
  Webhook,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import { formatDateTime, formatNumberName, formatRelative } from '../../lib/format.ts'
import type { FeedEntry } from './feed-entries.ts'
import { usePlaceOf } from './notification-place.ts'

type Look = { icon: LucideIcon; tone: string }

const looks: Record<FeedEntry['kind'], Look> = {
  campaign_completed: { icon: CircleCheck, tone: 'text-success-text' },
  campaign_paused: { icon: CirclePause, tone: 'text-warning-text' },
  campaign_resumed: { icon: CirclePlay, tone: 'text-info-text' },
  campaign_failed: { icon: OctagonX, tone: 'text-danger-text' },
  topup_requested: { icon: Wallet, tone: 'text-info-text' },
  topup_approved: { icon: Wallet, tone: 'text-success-text' },
  topup_rejected: { icon: Wallet, tone: 'text-danger-text' },
  balance_low: { icon: Wallet, tone: 'text-warning-text' },
  template_approved: { icon: BadgeCheck, tone: 'text-success-text' },
  template_rejected: { icon: Ban, tone: 'text-danger-text' },
  support_opened: { icon: LifeBuoy, tone: 'text-info-text' },
  support_answered: { icon: LifeBuoy, tone: 'text-info-text' },
  account_registered: { icon: UserPlus, tone: 'text-info-text' },
  sender_requested: { icon: BadgePlus, tone: 'text-info-text' },
  sender_changed: { icon: BadgeInfo, tone: 'text-info-text' },
  connection_failed: { icon: Unplug, tone: 'text-danger-text' },
  account_security: { icon: ShieldAlert, tone: 'text-warning-text' },
  account_visited: { icon: Eye, tone: 'text-warning-text' },
  key_limit_exceeded: { icon: Gauge, tone: 'text-warning-text' },
  webhook_disabled: { icon: Webhook, tone: 'text-danger-text' },
  report_ready: { icon: FileCheck, tone: 'text-success-text' },
  report_failed: { icon: FileX, tone: 'text-danger-text' },
  report_schedule_failed: { icon: CalendarX2, tone: 'text-danger-text' },
  sending_paused: { icon: CirclePause, tone: 'text-danger-text' },
  conversation_assigned: { icon: MessageSquareShare, tone: 'text-info-text' },
  conversation_mentioned: { icon: AtSign, tone: 'text-info-text' },
  message_received: { icon: MessageSquareText, tone: 'text-muted-foreground' },
}

type EntryProps = { entry: FeedEntry; onOpen: (entry: FeedEntry) => void }

/** One line; a button if it has a target. */
export function NotificationEntry({ entry, onOpen }: EntryProps) {
  const place = usePlaceOf()(entry)
  const line = 'flex w-full gap-3 px-4 py-2.5 text-left text-dense'
  return (
    <li className="border-b border-line last:border-0">
      {place ? (
        <button
          type="button"
          className={clsx(line, 'hover:bg-accent focus-visible:-outline-offset-2')}
          onClick={() => {
            onOpen(entry)
            place()
          }}
        >
          <Content entry={entry} />
        </button>
      ) : (
        <div className={line}>
          <Content entry={entry} />
        </div>
      )}
    </li>
  )
}

function Content({ entry: { kind, title, description, at, isNew, count } }: { entry: FeedEntry }) {
  const { icon: Icon, tone } = looks[kind]
  return (
    <>
      <Icon aria-hidden className={clsx('mt-0.5 size-4', tone)} />
      <span className="min-w-0 flex-1">
        <b dir="auto" className="message-text block truncate">
          {formatNumberName(title)}
        </b>
        <span dir="auto" className="message-text line-clamp-2 [overflow-wrap:anywhere] text-muted-foreground">
          {description}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1.5">
        <time dateTime={at} title={formatDateTime(at)} className="text-caption text-muted-foreground tabular-nums">
          {formatRelative(at)}
        </time>
        {isNew ? <NewMark count={count} /> : null}
      </span>
    </>
  )
}

/** A dot, or the number of new events. */
function NewMark({ count }: { count: number | undefined }) {
  if (count === undefined) {
    return (
      <span className="size-2 rounded-full bg-brand">
        <span className="sr-only">new</span>
      </span>
    )
  }
  return (
    <span className="rounded-full bg-brand px-1.5 text-caption font-medium text-brand-foreground tabular-nums">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> new</span>
    </span>
  )
}
