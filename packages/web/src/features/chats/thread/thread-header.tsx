import type { Conversation, Viewer } from '@carillon/contract/conversation-records'
import { Check, ChevronLeft, Ellipsis, Eye, PanelRight, PencilLine, RotateCcw } from 'lucide-react'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { formatPhone } from '../../../lib/format.ts'
import { useSocketOpen } from '../../../lib/socket.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { personName } from '../person-name.ts'
import { formatLeftInProse, windowOf } from '../state/service-window.ts'
import { useServerNow } from '../state/server-clock.ts'
import { AssigneeMenu } from './assignee-menu.tsx'
import { useConversationMenu, type OpenDialog } from './use-conversation-menu.ts'
import type { Changes } from '../state/use-changes.ts'

type ThreadHeaderProps = {
  conversation: Conversation
  viewers: readonly Viewer[]
  accountId: string | undefined
  changes: Changes
  isAssigning: boolean
  onAssigning: (open: boolean) => void
  onResolve: () => void
  onBack: () => void
  onDetails: () => void
  /** The details are beside the thread. */
  hasDetails: boolean
  openDialog: OpenDialog
}

/** Who it is with, who has it, and what can be done with it. */
export function ThreadHeader(props: ThreadHeaderProps) {
  const { conversation, viewers, accountId, changes, hasDetails, onBack, onDetails } = props
  const { channel, phoneNumber, username, status } = conversation
  const items = useConversationMenu({ conversation, changes, openDialog: props.openDialog, onDetails, hasDetails })
  const isResolved = status === 'resolved'
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-border pr-2 pl-5 max-md:gap-1 max-md:px-1">
      <IconButton label="Back to conversations" className="size-11 md:hidden" onClick={onBack}>
        <ChevronLeft aria-hidden className="size-5!" />
      </IconButton>
      <div className="flex min-w-0 flex-1 flex-col">
        <h2 className="truncate text-body leading-5 font-semibold">
          <bdi>{personName(conversation)}</bdi>
        </h2>
        <p className="flex min-w-0 items-center gap-2.5 text-caption whitespace-nowrap text-muted-foreground [&>span>span:first-child]:size-3.5">
          <ChannelMark channel={channel} />
          <span className="truncate font-mono @max-[460px]/thread:hidden">
            {phoneNumber ? formatPhone(phoneNumber) : username}
          </span>
          <Presence viewers={viewers} accountId={accountId} />
        </p>
      </div>
      <HeaderClock conversation={conversation} isHidden={hasDetails} />
      <div className="flex items-center gap-1.5">
        <span className="max-md:hidden">
          <AssigneeMenu
            conversation={conversation}
            accountId={accountId}
            open={props.isAssigning}
            onOpenChange={props.onAssigning}
            onAssign={(assigneeId) => changes.change(conversation, { assigneeId })}
          />
        </span>
        <Button
          size="sm"
          className="max-md:size-11 max-md:border-transparent max-md:bg-transparent max-md:px-0 max-md:shadow-none"
          aria-label={isResolved ? 'Reopen' : 'Resolve'}
          onClick={props.onResolve}
        >
          {isResolved ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
          <span className="max-md:hidden">{isResolved ? 'Reopen' : 'Resolve'}</span>
        </Button>
        {hasDetails ? null : (
          <IconButton label="Details" keys={['I']} size="sm" className="max-md:hidden" onClick={onDetails}>
            <PanelRight aria-hidden />
          </IconButton>
        )}
        <Menu
          label="More actions"
          items={items}
          trigger={
            <IconButton label="More actions" size="sm" className="max-md:size-11">
              <Ellipsis aria-hidden />
            </IconButton>
          }
        />
      </div>
    </header>
  )
}

/** Colleagues who have the conversation open, and the state of the connection. */
function Presence({ viewers, accountId }: Pick<ThreadHeaderProps, 'viewers' | 'accountId'>) {
  const isOpen = useSocketOpen()
  const others = viewers.filter(({ _id }) => _id !== accountId)
  const replying = others.filter(({ isReplying }) => isReplying)
  const [first] = replying.length > 0 ? replying : others
  const more = (replying.length > 0 ? replying : others).length - 1
  if (!isOpen) {
    return (
      <span className="flex items-center gap-1.5" title="No real-time connection. New messages appear when it is back.">
        <span aria-hidden className="size-1.5! rounded-full bg-muted-foreground" />
        <span className="sr-only">No real-time connection</span>
      </span>
    )
  }
  if (!first) return null
  const Icon = first.isReplying ? PencilLine : Eye
  return (
    <span role="status" className="flex min-w-0 shrink-0 items-center gap-1 font-medium text-brand-text">
      <Icon aria-hidden className="size-3.5" />
      <span className="truncate">
        {first.name.split(' ')[0]}
        {more > 0 ? ` and ${more} more are` : ' is'} {first.isReplying ? 'replying' : 'viewing'}
      </span>
    </span>
  )
}

/** The time left, where the details with the clock are not shown. */
function HeaderClock({ conversation, isHidden }: { conversation: Conversation; isHidden: boolean }) {
  const { level, leftMs } = windowOf(conversation, useServerNow())
  if (isHidden || (level !== 'soon' && level !== 'urgent')) return null
  return (
    <span className="text-dense font-medium whitespace-nowrap text-warning-text tabular-nums max-md:hidden">
      <span className="sr-only">Window closes in </span>
      {formatLeftInProse(leftMs)}
    </span>
  )
}
