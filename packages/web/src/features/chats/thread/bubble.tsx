import type { ThreadItem, ThreadItemOf } from '@carillon/contract/conversation-records'
import type { Channel } from '@carillon/contract/channels'
import clsx from 'clsx'
import { Bot, CircleAlert, FlaskConical, KeyRound, Megaphone, RotateCcw, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoney, formatTime } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { listView } from '../../../lib/list-view.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { typeNames } from '../chat-labels.ts'
import { BubbleBody } from './bubble-body.tsx'
import type { BubbleActions } from './bubble-actions.ts'
import { BubbleTools } from './bubble-tools.tsx'

type Message = Exclude<ThreadItem, { kind: 'note' | 'event' }>

type BubbleProps = {
  chatId: string
  channel: Channel
  item: Message
  isFirst: boolean
  isLast: boolean
  isMarked: boolean
  actions: BubbleActions
}

/** A message of the person, of a member, of a bot, or of a campaign. */
export function Bubble(props: BubbleProps) {
  const { item, isFirst, isLast, actions } = props
  const isOwn = item.kind !== 'inbound'
  const { reactions } = item
  return (
    <div
      data-item={item.id}
      className={clsx(
        'group/bubble flex w-full flex-col',
        isOwn ? 'items-end' : 'items-start',
        isLast ? 'pb-2' : 'pb-[3px]',
      )}
    >
      {isFirst ? <Source item={item} /> : null}
      <div
        className={clsx(
          'relative flex max-w-[min(388px,86%)] flex-col pointer-coarse:max-w-[min(388px,calc(100%-44px))]',
          isOwn ? 'items-end' : 'items-start',
        )}
      >
        <Balloon {...props} />
        {item.kind === 'campaign' || item.body.deletedAt ? null : (
          <BubbleTools item={item} isOwn={isOwn} actions={actions} />
        )}
        {reactions.length > 0 ? <Reactions reactions={reactions} /> : null}
      </div>
      {isLast || failed(item) ? <Foot item={item} actions={actions} /> : null}
    </div>
  )
}

const ownCorners = { true: 'rounded-br-sm bg-secondary', false: 'rounded-br-sm rounded-tr-sm bg-secondary' } as const
const theirCorners = { true: 'rounded-bl-sm', false: 'rounded-tl-sm rounded-bl-sm' } as const

function Balloon({ chatId, channel, item, isFirst, isMarked, actions }: BubbleProps) {
  const isOwn = item.kind !== 'inbound'
  const quoted = item.kind === 'campaign' ? undefined : item.inReplyTo
  return (
    <div
      className={clsx(
        'max-w-full overflow-clip rounded-xl leading-[21px] tracking-normal',
        isBare(item) ? 'p-0' : 'px-3 py-2',
        isOwn
          ? ownCorners[`${isFirst}`]
          : `border border-border bg-card dark:bg-transparent ${theirCorners[`${isFirst}`]}`,
        isMarked && 'ring-2 ring-ring',
      )}
    >
      {quoted ? <Quote quoted={quoted} onJump={actions.onJump} /> : null}
      <BubbleBody chatId={chatId} channel={channel} body={item.body} />
    </div>
  )
}

/** A picture without words fills its bubble. */
function isBare({ body }: Message): boolean {
  return (body.type === 'sticker' || body.type === 'image') && body.text === '' && body.media?.state === 'stored'
}

const failed = (item: Message) => item.kind !== 'inbound' && item.delivery.status === 'failed'

/** Who sent it, if not a member. */
function Source({ item }: { item: Message }) {
  if (item.kind === 'inbound') return null
  if (item.kind === 'campaign') {
    return (
      <By icon={Megaphone}>
        <AreaLink
          to="campaigns"
          search={writeView(listView, { openId: item.campaignId })}
          className="underline-offset-2 hover:underline"
        >
          {item.campaignName}
        </AreaLink>
      </By>
    )
  }
  const { source, author } = item
  if (source === 'bot') return <By icon={Bot}>{author?.name ?? 'Bot'}</By>
  if (source === 'api') return <By icon={KeyRound}>Sent through the API</By>
  if (source === 'test') return <By icon={FlaskConical}>Test message</By>
  if (!author) return null
  return <By>{author.impersonatedBy ? `${author.name}, by ${author.impersonatedBy}` : author.name}</By>
}

function By({ icon: Icon, children }: { icon?: LucideIcon; children: ReactNode }) {
  return (
    <p className="mx-0.5 mb-1 flex max-w-full items-center gap-1.5 text-caption text-muted-foreground">
      {Icon ? <Icon aria-hidden className="size-3.5" /> : null}
      <span className="truncate">{children}</span>
    </p>
  )
}

type QuoteProps = {
  quoted: NonNullable<ThreadItemOf<'inbound'>['inReplyTo']>
  onJump: (itemId: string) => void
}

/** The message that this one replies to; a press shows it. */
export function Quote({ quoted: { id, by, text, type }, onJump }: QuoteProps) {
  const content = (
    <>
      <span className="block text-caption font-medium text-brand-text">
        {by === 'person' ? 'Customer' : 'Your team'}
      </span>
      <span dir="auto" className="message-text line-clamp-2 text-dense text-muted-foreground [overflow-wrap:anywhere]">
        {text || typeNames[type]}
      </span>
    </>
  )
  const look =
    'mb-1.5 block w-full border-l-2 border-brand bg-[color-mix(in_oklab,var(--foreground)_4%,transparent)] py-1 pr-2 pl-2 text-left rounded-sm'
  if (!id) return <div className={look}>{content}</div>
  return (
    <button type="button" className={look} onClick={() => onJump(id)}>
      <span className="sr-only">Replies to: </span>
      {content}
    </button>
  )
}

function Reactions({ reactions }: { reactions: Message['reactions'] }) {
  return (
    <ul aria-label="Reactions" className="z-1 mx-2 -mt-2 flex gap-1">
      {reactions.map(({ emoji, by }, index) => (
        <li
          key={index}
          className="rounded-full border border-border bg-card px-1.5 text-caption leading-5"
          title={by === 'person' ? 'Customer' : 'Your team'}
        >
          {emoji}
        </li>
      ))}
    </ul>
  )
}

type FootProps = { item: Message; actions: BubbleActions }

function Foot({ item, actions }: FootProps) {
  const { body, at } = item
  return (
    <>
      <p className="mx-0.5 mt-[3px] flex items-center gap-1.5 text-caption text-muted-foreground tabular-nums">
        {body.editedAt ? <span>Edited</span> : null}
        <time dateTime={at}>{formatTime(at)}</time>
        {item.kind === 'inbound' ? null : <Tick status={item.delivery.status} />}
        {item.kind === 'outbound' && item.delivery.cost ? <span>{formatMoney(item.delivery.cost)}</span> : null}
      </p>
      {item.kind === 'outbound' && item.delivery.status === 'failed' ? (
        <NotDelivered reason={item.delivery.advice ?? 'It could not be delivered'}>
          <Button variant="bad" size="tool" onClick={() => actions.onRetry(item)}>
            <RotateCcw aria-hidden /> Retry
          </Button>
          {body.type === 'template' ? null : (
            <Button variant="bad" size="tool" onClick={() => actions.onTemplate()}>
              Send as template
            </Button>
          )}
        </NotDelivered>
      ) : null}
    </>
  )
}

export function NotDelivered({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <div className="mt-1 flex max-w-[min(388px,86%)] flex-col items-end">
      <p className="flex items-start gap-1 text-caption text-danger-text">
        <CircleAlert aria-hidden className="mt-px size-3.5" />
        <span>Not sent: {reason}</span>
      </p>
      <div className="flex gap-1">{children}</div>
    </div>
  )
}
