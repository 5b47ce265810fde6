import type { Conversation } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { stringifySearch } from '../../lib/search.ts'
import { nameTab } from '../../lib/title.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIsMobile, useMedia } from '../../lib/use-is-mobile.ts'
import { useView } from '../../lib/use-view.ts'
import { writeView } from '../../lib/url-state.ts'
import { useAreaAddress } from '../../ui/area-link.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { formatCapped } from './chat-labels.ts'
import { chatsView, filterOf, queryOf, type ChatsView } from './chats-view.ts'
import { BulkActions } from './list/bulk-actions.tsx'
import { ConversationList } from './list/conversation-list.tsx'
import { ListPane, useScrollRef } from './list/list-pane.tsx'
import { ListLoading, NoConversations } from './list/list-states.tsx'
import { SearchResults } from './list/search-results.tsx'
import { OpenChat } from './open-chat.tsx'
import { sendWaiting } from './state/outbox.ts'
import { useInboxList } from './state/use-inbox-list.ts'
import { ChatDialogs } from './thread/chat-dialogs.tsx'
import { ThreadPane } from './thread/thread-pane.tsx'
import { useChatKeys } from './use-chat-keys.ts'
import { useInbox } from './use-inbox.ts'

const DetailsPane = lazyPart(() => import('./details/details-pane.tsx').then((code) => code.DetailsPane))
const NewConversationDialog = lazyPart(() =>
  import('./new-conversation-dialog.tsx').then((code) => code.NewConversationDialog),
)

/** The inbox: list, thread and details side by side; on a phone one after the other. */
export function ChatsPage() {
  const [view, setView] = useView(chatsView)
  const isMobile = useIsMobile()
  const isWide = useMedia('(min-width: 1360px)')
  const profile = useApi('profile.details', {}, { staleTime: 300_000 })
  const counts = useApi('conversations.counts', { query: filterOf(view) }, { keepPrevious: true })
  const accountId = profile.data?._id
  const [list, state] = useInboxList(queryOf(view), { accountId, openId: view.openId })
  const inbox = useInbox({ view, setView, rows: state.rows, isMobile })
  const { openId, gone, selection } = inbox
  const [hidesDetails, setHidesDetails] = useState(false)
  const hasDetails = isWide && !hidesDetails && !isMobile
  const [isNew, setNew] = useState(false)
  const scroll = useScrollRef()
  const addressOf = useAreaAddress()
  const hrefOf = useHrefs(view, addressOf('chats'))
  useTabTitle(counts.data?.unread)
  useEffect(() => sendWaiting(), [])

  const toggleDetails = () =>
    isWide && !isMobile ? setHidesDetails(!hidesDetails) : setView({ showsDetails: !view.showsDetails })
  useChatKeys(
    {
      rows: view.search === '' ? state.rows : [],
      activeId: inbox.activeId,
      scroll,
      onActive: inbox.setActive,
      onResolve: inbox.resolve,
      onUnread: () => inbox.changeTargets({ isUnread: true }),
      onSnooze: () => inbox.openFor('snooze'),
      onAssign: () => inbox.openFor('assign'),
      onToggle: selection.toggle,
      onDetails: () => openId && toggleDetails(),
      onEscape: selection.clear,
    },
    inbox.dialog === undefined && !isNew,
  )

  return (
    <div
      data-full-height
      data-inbox
      data-thread-open={isMobile && openId ? '' : undefined}
      className={clsx(
        'grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)]',
        hasDetails && openId
          ? 'grid-cols-[320px_minmax(420px,1fr)_320px]'
          : 'grid-cols-[320px_minmax(0,1fr)] max-lg:grid-cols-[280px_minmax(0,1fr)]',
        'max-md:grid-cols-[minmax(0,1fr)]',
      )}
    >
      {isMobile && openId ? null : (
        <ListPane
          view={view}
          counts={counts.data}
          shown={state.rows.length}
          onView={setView}
          onNew={() => setNew(true)}
          footer={
            selection.selected.size > 0 ? (
              <BulkActions
                count={selection.selected.size}
                onAssign={() => inbox.openFor('assign')}
                onResolve={inbox.resolve}
                onUnread={() => inbox.changeTargets({ isUnread: true })}
                onSnooze={() => inbox.openFor('snooze')}
                onClear={selection.clear}
              />
            ) : null
          }
        >
          {view.search !== '' ? (
            <SearchResults
              text={view.search}
              channel={view.channel}
              openId={openId}
              onOpen={(chatId, itemId) => setView({ openId: chatId, itemId, showsDetails: false })}
              onClear={() => setView({ search: '' })}
            />
          ) : state.status === 'loading' ? (
            <ListLoading />
          ) : (
            <>
              {state.error ? (
                <Failure
                  error={state.error}
                  onRetry={() => void list.load()}
                  staleSince={state.rows.length > 0 ? state.loadedAt : undefined}
                />
              ) : null}
              {state.rows.length > 0 ? (
                <ConversationList
                  key={JSON.stringify(list.query)}
                  list={list}
                  state={state}
                  openId={openId}
                  activeId={inbox.activeId}
                  selected={selection.selected}
                  hrefOf={hrefOf}
                  onOpen={inbox.open}
                  onActive={inbox.setActive}
                  onToggle={selection.toggle}
                  scrollRef={scroll}
                />
              ) : state.error ? (
                <div className="flex-1" />
              ) : (
                <NoConversations view={view} onView={setView} hasAny={(counts.data?.all ?? 0) > 0} />
              )}
            </>
          )}
        </ListPane>
      )}
      {isMobile && !openId ? null : (
        <div className="flex min-h-0 min-w-0 flex-col border-border bg-card md:border-l">
          <OpenChat chatId={openId} gone={gone} onBack={inbox.close}>
            {(details) => (
              <ThreadPane
                details={details}
                accountId={accountId}
                changes={inbox.changes}
                itemId={view.itemId}
                hasDetails={hasDetails}
                isAssigning={inbox.isAssigning}
                onAssigning={inbox.setAssigning}
                onResolve={() => inbox.resolveOne(details.conversation)}
                onBack={inbox.close}
                onDetails={toggleDetails}
                openDialog={inbox.openFor}
              />
            )}
          </OpenChat>
        </div>
      )}
      {openId && gone?.chatId !== openId ? (
        <DetailsPlace
          chatId={openId}
          isBeside={hasDetails}
          isOpen={view.showsDetails && !hasDetails}
          onOpenChange={(showsDetails) => setView({ showsDetails })}
        >
          {(conversation) => (
            <DetailsPane
              conversation={conversation}
              accountId={accountId}
              changes={inbox.changes}
              openDialog={inbox.openFor}
              onClose={hasDetails ? () => setHidesDetails(true) : undefined}
            />
          )}
        </DetailsPlace>
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
    </div>
  )
}

/** The address of each conversation with the present tab and filters. */
function useHrefs(view: ChatsView, path: string) {
  const rest = stringifySearch(writeView(chatsView, { ...view, openId: 'id', itemId: undefined, showsDetails: false }))
  return useMemo(() => (chatId: string) => `${path}${rest.replace('c=id', `c=${chatId}`)}`, [path, rest])
}

function useTabTitle(unread: number | undefined) {
  useEffect(() => {
    nameTab(unread ? `(${formatCapped(unread)}) Conversations` : 'Conversations')
  }, [unread])
}

type DetailsPlaceProps = {
  chatId: string
  /** Beside the thread; else in a sheet. */
  isBeside: boolean
  isOpen: boolean
  onOpenChange: (open: boolean) => void
  children: (conversation: Conversation) => ReactNode
}

function DetailsPlace({ chatId, isBeside, isOpen, onOpenChange, children }: DetailsPlaceProps) {
  const details = useApi('conversations.get', { path: { id: chatId } })
  const conversation = details.data?.conversation
  if (isBeside) {
    return (
      <aside aria-label="Details" className="flex min-h-0 min-w-0 flex-col border-l border-border">
        {conversation ? children(conversation) : null}
      </aside>
    )
  }
  return (
    <Sheet open={isOpen && conversation !== undefined} onOpenChange={onOpenChange} title="Details" isToRead>
      {conversation ? children(conversation) : null}
    </Sheet>
  )
}
