import type { Conversation, ThreadItemOf } from '@carillon/contract/conversation-records'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { CallData } from '../../../lib/call.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { onChat } from '../../../lib/socket.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { Composer } from '../composer/composer.tsx'
import type { ComposerMode, ReplyTarget } from '../composer/composer-types.ts'
import { typeNames } from '../chat-labels.ts'
import { personName } from '../person-name.ts'
import { sendReply } from '../state/outbox.ts'
import { usePresence } from '../state/presence.ts'
import type { Changes } from '../state/use-changes.ts'
import { useThread } from '../state/use-thread.ts'
import type { BubbleActions } from './bubble-actions.ts'
import { ThreadHeader } from './thread-header.tsx'
import { ThreadLog } from './thread-log.tsx'
import type { OpenDialog } from './use-conversation-menu.ts'
import { WindowBanner } from './window-banner.tsx'

type Details = CallData<'conversations.get'>

type ThreadPaneProps = {
  details: Details
  accountId: string | undefined
  changes: Changes
  itemId: string | undefined
  hasDetails: boolean
  isAssigning: boolean
  onAssigning: (open: boolean) => void
  onResolve: () => void
  onBack: () => void
  onDetails: () => void
  openDialog: OpenDialog
}

/** The open conversation: its messages and the composer. */
export function ThreadPane(props: ThreadPaneProps) {
  const { details, accountId, itemId } = props
  const { conversation } = details
  const { chatId } = conversation
  const [thread, state] = useThread({ chatId, unread: conversation.unread, around: itemId })
  const [mode, setMode] = useState<ComposerMode>('reply')
  const [replyTo, setReplyTo] = useState<ReplyTarget>()
  const [showsTemplates, setTemplates] = useState(false)
  const typed = usePresence(conversation)
  useViewers(chatId)
  useHotkeys({ KeyN: () => setMode('note') })
  const actions = useMemo(() => bubbleActions({ chatId, setMode, setReplyTo, setTemplates }), [chatId])

  return (
    <section
      aria-label={`Conversation with ${personName(conversation)}`}
      className="@container/thread flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <ThreadHeader {...props} conversation={conversation} viewers={details.viewers} />
      <WindowBanner conversation={conversation} />
      {state.status === 'failed' && state.error ? (
        <div className="flex-1">
          <Failure error={state.error} onRetry={() => void thread.load()} />
        </div>
      ) : state.status === 'loading' ? (
        <ThreadLoading />
      ) : (
        <ThreadLog
          conversation={conversation}
          thread={thread}
          state={state}
          accountId={accountId}
          itemId={itemId}
          actions={actions}
        />
      )}
      <Announcer conversation={conversation} />
      <Composer
        conversation={conversation}
        scheduled={details.scheduled}
        accountId={accountId}
        mode={mode}
        onMode={setMode}
        replyTo={replyTo}
        onReplyTo={setReplyTo}
        showsTemplates={showsTemplates}
        onTemplates={setTemplates}
        onTyping={typed}
      />
    </section>
  )
}

type ActionsInput = {
  chatId: string
  setMode: (mode: ComposerMode) => void
  setReplyTo: (target: ReplyTarget | undefined) => void
  setTemplates: (shown: boolean) => void
}

/** The same object at every rendering, so that bubbles are not drawn again. `onJump` is the log's own. */
function bubbleActions({ chatId, setMode, setReplyTo, setTemplates }: ActionsInput): BubbleActions {
  return {
    onReplyTo(item) {
      setMode('reply')
      setReplyTo(item)
    },
    onReact: (to, emoji) =>
      sendReply({
        chatId,
        content: { type: 'reaction', to, emoji },
        body: { type: 'reaction', text: '', reaction: emoji },
      }),
    onJump: () => undefined,
    onRetry: (item) => retry(chatId, item, () => setTemplates(true)),
    onTemplate() {
      setMode('reply')
      setTemplates(true)
    },
  }
}

/** Sends the content of a failed message again; that of a template is not known, so it is chosen anew. */
function retry(chatId: string, { body, inReplyTo }: ThreadItemOf<'outbound'>, chooseTemplate: () => void) {
  const reply = inReplyTo?.id ? { inReplyTo: inReplyTo.id, quoted: inReplyTo.text || typeNames[inReplyTo.type] } : {}
  const fileId = body.media?.fileId
  if (fileId) return sendReply({ chatId, content: { type: 'media', fileId, caption: body.text }, body, ...reply })
  if (body.type === 'text') return sendReply({ chatId, content: { type: 'text', text: body.text }, body, ...reply })
  return chooseTemplate()
}

function ThreadLoading() {
  const widths = ['w-64', 'w-48', 'w-72', 'w-40', 'w-56'] as const
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      <Loading label="Loading messages">
        <div className="flex flex-col gap-4 p-5">
          {widths.map((width, index) => (
            <Skeleton key={width} className={`h-10 rounded-xl ${width} ${index % 2 ? 'self-end' : ''}`} />
          ))}
        </div>
      </Loading>
    </div>
  )
}

/** Keeps the colleagues who have the conversation open up to date. */
function useViewers(chatId: string) {
  const queries = useQueryClient()
  useEffect(
    () =>
      onChat('viewers', (event) => {
        if (event.chatId !== chatId) return
        queries.setQueryData<Details>(['conversations.get', { path: { id: chatId } }], (known) =>
          known ? { ...known, viewers: event.viewers } : known,
        )
      }),
    [queries, chatId],
  )
}

const announceEveryMs = 1000

/** Reads new messages of the open conversation to screen readers, at most one a second. */
function Announcer({ conversation: { chatId, name } }: { conversation: Conversation }) {
  const [text, setText] = useState('')
  const queue = useRef<string[]>([])
  useEffect(() => {
    const timer = setInterval(() => {
      const next = queue.current.shift()
      if (next !== undefined) setText(next)
    }, announceEveryMs)
    const stop = onChat('threadItem', (event) => {
      if (event.chatId !== chatId || event.item.kind !== 'inbound') return
      const { body } = event.item
      queue.current = [...queue.current, `${name}: ${body.text || typeNames[body.type]}`].slice(-20)
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [chatId, name])
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  )
}
