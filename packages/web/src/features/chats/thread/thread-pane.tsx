import type { Conversation, ThreadItemOf } from '@carillon/contract/conversation-records'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { CallData } from '../../../lib/call.ts'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { onChat } from '../../../lib/socket.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { Composer, type TemplatesShown } from '../composer/composer.tsx'
import type { ComposerMode, ReplyTarget } from '../composer/composer-types.ts'
import { typeNames } from '../chat-labels.ts'
import { personName } from '../person-name.ts'
import { discardReply, onRefused, sendReply } from '../state/outbox.ts'
import { findTemplate, type TemplateDraft } from '../state/template-drafts.ts'
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
  const [templates, setTemplates] = useState<TemplatesShown>({ isAsked: false })
  const actions = useMemo(() => bubbleActions({ chatId, setMode, setReplyTo, setTemplates }), [chatId])
  const typed = usePresence(conversation)
  useViewers(chatId)
  useHotkeys({ KeyN: () => setMode('note') })
  useRefusedTemplate(chatId, actions.onTemplate)

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
        templates={templates}
        onTemplates={setTemplates}
        onTyping={typed}
        onUnblock={() => props.changes.change(conversation, { isBlocked: false })}
      />
    </section>
  )
}

type ActionsInput = {
  chatId: string
  setMode: (mode: ComposerMode) => void
  setReplyTo: (target: ReplyTarget | undefined) => void
  setTemplates: (templates: TemplatesShown) => void
}

/** The same object at every rendering, so that bubbles are not drawn again. `onJump` is the log's own. */
function bubbleActions({ chatId, setMode, setReplyTo, setTemplates }: ActionsInput): BubbleActions {
  function onTemplate(draft?: TemplateDraft) {
    setMode('reply')
    setTemplates({ isAsked: true, draft })
  }
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
    onRetry: (item) => retry(chatId, item, onTemplate),
    onTemplate,
  }
}

/** Opens the template that the server refused, with the values that were entered. */
function useRefusedTemplate(chatId: string, onTemplate: BubbleActions['onTemplate']) {
  useEffect(
    () =>
      onRefused(({ entry: { clientId, chatId: id }, error }) => {
        const draft = id === chatId ? findTemplate(clientId) : undefined
        if (!draft) return
        discardReply(clientId)
        onTemplate({ ...draft, error: error.message })
      }),
    [chatId, onTemplate],
  )
}

/** Sends the content of a failed message again. A template is opened with its values, or chosen anew where they are not known. */
function retry(
  chatId: string,
  { body, inReplyTo, clientId }: ThreadItemOf<'outbound'>,
  openTemplate: BubbleActions['onTemplate'],
) {
  const reply = inReplyTo?.id ? { inReplyTo: inReplyTo.id, quoted: inReplyTo.text || typeNames[inReplyTo.type] } : {}
  const fileId = body.media?.fileId
  if (fileId) return sendReply({ chatId, content: { type: 'media', fileId, caption: body.text }, body, ...reply })
  if (body.type === 'text') return sendReply({ chatId, content: { type: 'text', text: body.text }, body, ...reply })
  return openTemplate(findTemplate(clientId))
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
