import type { Conversation } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { CallData } from '../../lib/call.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { nameTab } from '../../lib/title.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIsMobile, useMedia } from '../../lib/use-is-mobile.ts'
import { useView } from '../../lib/use-view.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { formatCapped } from './chat-labels.ts'
import { chatsView, countFilters, filterOf, queryOf, type ChatsView } from './chats-view.ts'
import { ListPlace } from './list-place.tsx'
import { OpenChat } from './open-chat.tsx'
import { sendWaiting } from './state/outbox.ts'
import { useInboxList } from './state/use-inbox-list.ts'
import { ChatDialogs } from './thread/chat-dialogs.tsx'
import { ThreadPane } from './thread/thread-pane.tsx'
import { useChatKeys } from './use-chat-keys.ts'
import { useInbox, type Inbox } from './use-inbox.ts'

const DetailsPane = lazyPart(() => import('./details/details-pane.tsx').then((code) => code.DetailsPane))
const NewConversationDialog = lazyPart(() =>
  import('./new-conversation-dialog.tsx').then((code) => code.NewConversationDialog),
)

/** The inbox: list, thread and details side by side; on a phone one after the other. */
export function ChatsPage() {
  const [view, setView] = useView(chatsView)
  const isMobile = useIsMobile()
  const accountId = useApi('profile.details', {}, { staleTime: 300_000 }).data?._id
  const counts = useApi('conversations.counts', { query: filterOf(view) }, { keepPrevious: true }).data
  const [list, state] = useInboxList(queryOf(view), { accountId, openId: view.openId })
  const inbox = useInbox({ view, setView, rows: state.rows, isMobile })
  const { openId, gone } = inbox
  const isGone = gone !== undefined && gone.chatId === openId
  const details = useDetails({ isMobile, isOpen: view.showsDetails, setOpen: (is) => setView({ showsDetails: is }) })
  const [isNew, setNew] = useState(false)
  const scroll = useRef<HTMLDivElement>(null)
  const keys = { inbox, scroll, onDetails: details.toggle, onNew: () => setNew(true) }
  useChatKeys({ ...keys, rows: state.rows, isSearching: view.search !== '' }, !isNew)
  useTabTitle(counts?.unread)
  useEffect(() => sendWaiting(), [])

  return (
    <Panes isMobile={isMobile} isOpen={openId !== undefined} hasDetails={details.isBeside && !isGone}>
      {isMobile && openId ? null : (
        <ListPlace
          view={view}
          setView={setView}
          counts={counts}
          list={list}
          state={state}
          inbox={inbox}
          scrollRef={scroll}
          onNew={() => setNew(true)}
        />
      )}
      {isMobile && !openId ? null : (
        <ThreadPlace
          inbox={inbox}
          accountId={accountId}
          itemId={view.itemId}
          details={details}
          isInboxEmpty={isInboxEmpty(view, counts)}
        />
      )}
      {openId && !isGone ? (
        <DetailsPlace chatId={openId} details={details} inbox={inbox} accountId={accountId} />
      ) : null}
      <ChatDialogs
        open={inbox.dialog}
        conversation={inbox.target}
        accountId={accountId}
        onChange={inbox.changeTargets}
        onClose={() => inbox.openFor(undefined)}
      />
      {isNew ? (
        <NewConversationDialog
          onClose={() => setNew(false)}
          onStarted={(chatId) => {
            setNew(false)
            inbox.open(chatId)
          }}
        />
      ) : null}
    </Panes>
  )
}

/** Without filters there is no conversation. */
function isInboxEmpty(view: ChatsView, counts: CallData<'conversations.counts'> | undefined): boolean {
  return counts?.all === 0 && countFilters(view) === 0
}

type PanesProps = { isMobile: boolean; isOpen: boolean; hasDetails: boolean; children: ReactNode }

function Panes({ isMobile, isOpen, hasDetails, children }: PanesProps) {
  return (
    <div
      data-full-height
      data-inbox
      data-thread-open={isMobile && isOpen ? '' : undefined}
      className={clsx(
        'grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]',
        hasDetails && isOpen
          ? 'md:grid-cols-[320px_minmax(420px,1fr)_320px]'
          : 'md:grid-cols-[280px_minmax(0,1fr)] lg:grid-cols-[320px_minmax(0,1fr)]',
      )}
    >
      {isMobile && isOpen ? (
        <h1 tabIndex={-1} className="sr-only">
          Conversations
        </h1>
      ) : null}
      {children}
    </div>
  )
}

type Details = ReturnType<typeof useDetails>
type DetailsInput = { isMobile: boolean; isOpen: boolean; setOpen: (isOpen: boolean) => void }

/** The details are beside the thread where there is room, unless they are hidden; else in a sheet. */
function useDetails({ isMobile, isOpen, setOpen }: DetailsInput) {
  const isWide = useMedia('(min-width: 1360px)') && !isMobile
  const [isHidden, setHidden] = useState(false)
  return {
    isBeside: isWide && !isHidden,
    isInSheet: isOpen && !isWide,
    toggle: () => (isWide ? setHidden(!isHidden) : setOpen(!isOpen)),
    close: () => (isWide ? setHidden(true) : setOpen(false)),
  }
}

type ThreadPlaceProps = {
  inbox: Inbox
  accountId: string | undefined
  itemId: string | undefined
  details: Details
  isInboxEmpty: boolean
}

function ThreadPlace({ inbox, accountId, itemId, details, isInboxEmpty }: ThreadPlaceProps) {
  return (
    <div className="flex min-h-0 min-w-0 flex-col border-border bg-card md:border-l">
      <OpenChat chatId={inbox.openId} gone={inbox.gone} isInboxEmpty={isInboxEmpty} onBack={inbox.close}>
        {(data) => (
          <ThreadPane
            details={data}
            accountId={accountId}
            changes={inbox.changes}
            itemId={itemId}
            hasDetails={details.isBeside}
            isAssigning={inbox.isAssigning}
            onAssigning={inbox.setAssigning}
            onResolve={() => inbox.resolveOne(data.conversation)}
            onBack={inbox.close}
            onDetails={details.toggle}
            openDialog={inbox.openFor}
          />
        )}
      </OpenChat>
    </div>
  )
}

type DetailsPlaceProps = { chatId: string; details: Details; inbox: Inbox; accountId: string | undefined }

function DetailsPlace({ chatId, details, inbox, accountId }: DetailsPlaceProps) {
  const conversation = useApi('conversations.get', { path: { id: chatId } }).data?.conversation
  const content = (shown: Conversation) => (
    <DetailsPane
      conversation={shown}
      accountId={accountId}
      changes={inbox.changes}
      openDialog={inbox.openFor}
      onClose={details.isBeside ? details.close : undefined}
    />
  )
  if (details.isBeside) {
    return (
      <aside aria-label="Details" className="flex min-h-0 min-w-0 flex-col border-l border-border">
        {conversation ? content(conversation) : null}
      </aside>
    )
  }
  return (
    <Sheet open={details.isInSheet && conversation !== undefined} onOpenChange={details.close} title="Details" isToRead>
      {conversation ? content(conversation) : null}
    </Sheet>
  )
}

function useTabTitle(unread: number | undefined) {
  useEffect(() => {
    nameTab(unread ? `(${formatCapped(unread)}) Conversations` : 'Conversations')
  }, [unread])
}
