import type { ThreadItemOf } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Copy, Reply, SmilePlus, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
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

/** Reply, react and copy, beside the bubble that is pointed at or has the focus. */
export function BubbleTools({ item, isOwn, actions }: BubbleToolsProps) {
  const [isReacting, setReacting] = useState(false)
  const { text } = item.body
  const ownReaction = item.reactions.find(({ by }) => by === 'member')
  return (
    <div
      className={clsx(
        'absolute top-0 flex h-7 items-center rounded-md border border-border bg-popover px-0.5 opacity-0 shadow-1 transition-opacity duration-120',
        'group-hover/bubble:opacity-100 focus-within:opacity-100 pointer-coarse:hidden',
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
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              aria-label={`React with ${emoji}`}
              className="grid size-8 place-items-center rounded-md text-section hover:bg-accent"
              onClick={() => {
                setReacting(false)
                actions.onReact(item.id, emoji)
              }}
            >
              {emoji}
            </button>
          ))}
          {ownReaction ? (
            <button
              type="button"
              aria-label="Remove the reaction"
              className="grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-accent"
              onClick={() => {
                setReacting(false)
                actions.onReact(item.id, '')
              }}
            >
              <X aria-hidden className="size-4" />
            </button>
          ) : null}
        </Popover>
      ) : null}
      {text === '' ? null : (
        <Tool label="Copy text" onPress={() => copy(text, () => toast.success('Copied'))}>
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
