import type { ThreadItemOf } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Copy, EllipsisVertical, Reply, RotateCcw, SmilePlus, X, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useMedia } from '../../../lib/use-is-mobile.ts'
import { copy } from '../../../ui/copy.ts'
import { Popover } from '../../../ui/popover.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BubbleActions } from './bubble-actions.ts'

const emojis = ['👍', '❤️', '😂', '😮', '🙏', '✅'] as const

type BubbleToolsProps = {
  item: ThreadItemOf<'inbound'> | ThreadItemOf<'outbound'>
  isOwn: boolean
  actions: BubbleActions
}

/** Reply, react and copy: beside the bubble that is pointed at or has the focus; on touch screens behind a button. */
export function BubbleTools(props: BubbleToolsProps) {
  const isTouch = useMedia('(pointer: coarse)')
  return isTouch ? <TouchTools {...props} /> : <PointerTools {...props} />
}

const copyText = (text: string) => copy(text, () => toast.success('Copied'))

function PointerTools({ item, isOwn, actions }: BubbleToolsProps) {
  const [isReacting, setReacting] = useState(false)
  const { text } = item.body
  return (
    <div
      className={clsx(
        'absolute top-0 flex h-7 items-center rounded-md border border-border bg-popover px-0.5 opacity-0 shadow-1 transition-opacity duration-120',
        'group-hover/bubble:opacity-100 focus-within:opacity-100',
        isOwn ? 'right-full mr-1.5' : 'left-full ml-1.5',
        isReacting && 'opacity-100',
      )}
    >
      <Tool label="Reply to this message" onPress={() => actions.onReplyTo(item)}>
        <Reply aria-hidden />
      </Tool>
      {item.kind === 'inbound' ? (
        <Popover
          label="React"
          open={isReacting}
          onOpenChange={setReacting}
          className="flex gap-0.5 p-1"
          trigger={
            <button type="button" aria-label="React" title="React" className={toolLook}>
              <SmilePlus aria-hidden />
            </button>
          }
        >
          <Emojis item={item} actions={actions} onDone={() => setReacting(false)} />
        </Popover>
      ) : null}
      {text === '' ? null : (
        <Tool label="Copy text" onPress={() => copyText(text)}>
          <Copy aria-hidden />
        </Tool>
      )}
    </div>
  )
}

const toolLook =
  'tap-around grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground [&_svg]:size-3.5'

function Tool({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" aria-label={label} title={label} className={toolLook} onClick={onPress}>
      {children}
    </button>
  )
}

function TouchTools({ item, isOwn, actions }: BubbleToolsProps) {
  const [isOpen, setOpen] = useState(false)
  const { text } = item.body
  const isFailed = item.kind === 'outbound' && item.delivery.status === 'failed'
  const press = (act: () => void) => () => {
    setOpen(false)
    act()
  }
  return (
    <Popover
      label="Message"
      align={isOwn ? 'end' : 'start'}
      open={isOpen}
      onOpenChange={setOpen}
      className="w-80 max-w-[calc(100vw-16px)] p-1"
      trigger={
        <button
          type="button"
          aria-label="Message actions"
          className={clsx(
            'absolute top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-md text-muted-foreground',
            isOwn ? 'right-full' : 'left-full',
          )}
        >
          <EllipsisVertical aria-hidden className="size-4" />
        </button>
      }
    >
      {item.kind === 'inbound' ? (
        <div className="mb-1 flex flex-wrap border-b border-line pb-1">
          <Emojis item={item} actions={actions} onDone={() => setOpen(false)} />
        </div>
      ) : null}
      <Line icon={Reply} label="Reply to this message" onPress={press(() => actions.onReplyTo(item))} />
      {text === '' ? null : <Line icon={Copy} label="Copy text" onPress={press(() => copyText(text))} />}
      {isFailed ? <Line icon={RotateCcw} label="Retry" onPress={press(() => actions.onRetry(item))} /> : null}
    </Popover>
  )
}

function Line({ icon: Icon, label, onPress }: { icon: LucideIcon; label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex min-h-11 w-full items-center gap-2.5 rounded-sm px-2.5 text-left hover:bg-accent"
    >
      <Icon aria-hidden className="size-4 text-muted-foreground" /> {label}
    </button>
  )
}

type EmojisProps = { item: ThreadItemOf<'inbound'>; actions: BubbleActions; onDone: () => void }

function Emojis({ item: { id, reactions }, actions, onDone }: EmojisProps) {
  const own = reactions.find(({ by }) => by === 'member')
  const react = (emoji: string) => () => {
    onDone()
    actions.onReact(id, emoji)
  }
  return (
    <>
      {emojis.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={`React with ${emoji}`}
          aria-pressed={own?.emoji === emoji}
          className={clsx(emojiLook, 'text-section aria-pressed:bg-accent')}
          onClick={react(emoji)}
        >
          {emoji}
        </button>
      ))}
      {own ? (
        <button type="button" aria-label="Remove the reaction" className={emojiLook} onClick={react('')}>
          <X aria-hidden className="size-4 text-muted-foreground" />
        </button>
      ) : null}
    </>
  )
}

const emojiLook = 'grid size-8 place-items-center rounded-md hover:bg-accent pointer-coarse:size-11'
