import { useMemo, type RefObject } from 'react'
import type { CallData } from '../../lib/call.ts'
import { stringifySearch } from '../../lib/search.ts'
import { writeView } from '../../lib/url-state.ts'
import { useAreaAddress } from '../../ui/area-link.tsx'
import { Failure } from '../../ui/failure.tsx'
import { chatsView, type ChatsView } from './chats-view.ts'
import { BulkActions } from './list/bulk-actions.tsx'
import { ConversationList } from './list/conversation-list.tsx'
import { ListPane } from './list/list-pane.tsx'
import { ListLoading, NoConversations } from './list/list-states.tsx'
import { SearchResults } from './list/search-results.tsx'
import type { InboxList, InboxState } from './state/inbox-list.ts'
import type { Inbox } from './use-inbox.ts'

type ListPlaceProps = {
  view: ChatsView
  setView: (patch: Partial<ChatsView>, change?: { replace?: boolean }) => void
  counts: CallData<'conversations.counts'> | undefined
  list: InboxList
  state: InboxState
  inbox: Inbox
  scrollRef: RefObject<HTMLDivElement | null>
  onNew: () => void
}

/** The column with the list or what a search found. */
export function ListPlace(props: ListPlaceProps) {
  const { view, setView, counts, state, inbox, onNew } = props
  const { selected, isChoosing, begin, clear } = inbox.selection
  return (
    <ListPane
      view={view}
      counts={counts}
      shown={state.rows.length}
      onView={setView}
      onNew={onNew}
      onSelect={isChoosing || state.rows.length === 0 ? undefined : begin}
      footer={
        isChoosing ? (
          <BulkActions
            count={selected.size}
            onAssign={() => inbox.openFor('assign')}
            onResolve={inbox.resolve}
            onUnread={inbox.markUnread}
            onSnooze={() => inbox.openFor('snooze')}
            onClear={clear}
          />
        ) : null
      }
    >
      {view.search === '' ? (
        <Rows {...props} />
      ) : (
        <SearchResults
          text={view.search}
          channel={view.channel}
          openId={inbox.openId}
          onOpen={(chatId, itemId) => setView({ openId: chatId, itemId, showsDetails: false })}
          onClear={() => setView({ search: '' })}
        />
      )}
    </ListPane>
  )
}

function Rows({ view, setView, counts, list, state, inbox, scrollRef }: ListPlaceProps) {
  const hrefOf = useHrefs(view)
  const { rows, error } = state
  if (state.status === 'loading') return <ListLoading />
  return (
    <>
      {error ? (
        <Failure
          error={error}
          onRetry={() => void list.load()}
          staleSince={rows.length > 0 ? state.loadedAt : undefined}
        />
      ) : null}
      {rows.length > 0 ? (
        <ConversationList
          key={JSON.stringify(list.query)}
          list={list}
          state={state}
          openId={inbox.openId}
          activeId={inbox.activeId}
          selected={inbox.selection.selected}
          isChoosing={inbox.selection.isChoosing}
          hrefOf={hrefOf}
          onOpen={inbox.open}
          onActive={inbox.setActive}
          onToggle={inbox.selection.toggle}
          scrollRef={scrollRef}
        />
      ) : error ? (
        <div className="flex-1" />
      ) : (
        <NoConversations view={view} onView={setView} hasAny={(counts?.all ?? 0) > 0} />
      )}
    </>
  )
}

/** The address of each conversation with the present tab and filters. */
function useHrefs(view: ChatsView) {
  const path = useAreaAddress()('chats')
  const rest = stringifySearch(writeView(chatsView, { ...view, openId: 'id', itemId: undefined, showsDetails: false }))
  return useMemo(() => (chatId: string) => `${path}${rest.replace('c=id', `c=${chatId}`)}`, [path, rest])
}
