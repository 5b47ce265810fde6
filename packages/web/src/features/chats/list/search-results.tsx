import type { Channel } from '@carillon/contract/channels'
import type { Conversation } from '@carillon/contract/conversation-records'
import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX, StickyNote } from 'lucide-react'
import { Fragment } from 'react'
import { call, type CallData, type CallError } from '../../../lib/call.ts'
import { formatPhone } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { formatAge } from '../format-age.ts'
import { personName } from '../person-name.ts'
import { PersonAvatar } from '../person-avatar.tsx'
import { useServerNow } from '../state/server-clock.ts'
import { windowOf } from '../state/service-window.ts'
import { ListLoading } from './list-states.tsx'
import { excerptOf, splitMatches } from './excerpt.ts'

type Result = CallData<'conversations.search'>['results'][number]

type SearchResultsProps = {
  text: string
  channel: Channel | undefined
  openId: string | undefined
  onOpen: (chatId: string, itemId: string | undefined) => void
  onClear: () => void
}

/** Names, numbers and messages that match. A message opens the thread around it. */
export function SearchResults({ text, channel, openId, onOpen, onClear }: SearchResultsProps) {
  const q = text.trim()
  const found = useSearch(q, channel)
  if (q.length < 2) return <Hint>Enter at least two characters</Hint>
  if (found.error && !found.data) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <ListLoading />
  const results = found.data.pages.flatMap((page) => page.results)
  if (results.length === 0) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Empty icon={SearchX} title="Nothing found" actions={<Button onClick={onClear}>Clear the search</Button>}>
          Names, numbers and messages of the conversations that you may see are searched.
        </Empty>
      </div>
    )
  }
  return (
    <div className="scrollbar-none min-h-0 flex-1 overflow-y-auto">
      <ul aria-label="Search results">
        {results.map((result) => (
          <ResultRow
            key={`${result.conversation.chatId} ${result.message?.id ?? ''}`}
            result={result}
            q={q}
            isOpen={result.conversation.chatId === openId}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {found.hasNextPage ? (
        <div className="grid place-items-center p-3">
          <Button size="sm" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function useSearch(q: string, channel: Channel | undefined) {
  return useInfiniteQuery<
    CallData<'conversations.search'>,
    CallError,
    { pages: CallData<'conversations.search'>[] },
    readonly unknown[],
    string | undefined
  >({
    queryKey: ['conversations.search', q, channel],
    queryFn: ({ pageParam, signal }) =>
      call(
        'conversations.search',
        { query: { q, ...(channel ? { channel } : {}), ...(pageParam ? { after: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.next,
    enabled: q.length >= 2,
  })
}

type ResultRowProps = { result: Result; q: string; isOpen: boolean; onOpen: SearchResultsProps['onOpen'] }

function ResultRow({ result: { conversation, message }, q, isOpen, onOpen }: ResultRowProps) {
  const now = useServerNow()
  const window = windowOf(conversation, now)
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => onOpen(conversation.chatId, message?.id)}
        className="grid min-h-16 w-full grid-cols-[42px_minmax(0,1fr)] items-center gap-3 py-2 pr-4 pl-3.5 text-left hover:bg-accent focus-visible:-outline-offset-2 aria-[current=true]:bg-selected"
      >
        <PersonAvatar
          name={conversation.name}
          channel={conversation.channel}
          isSelected={isOpen}
          tone={window.level === 'urgent' ? 'soon' : window.level}
          share={window.share}
        />
        <span className="flex min-w-0 flex-col gap-px">
          <span className="flex items-center gap-2">
            <b dir="auto" className="message-text min-w-0 flex-1 truncate">
              <Marked text={personName(conversation)} q={q} />
            </b>
            <time className="text-caption text-muted-foreground tabular-nums">
              {formatAge(message?.at ?? conversation.lastMessage.at, now)}
            </time>
          </span>
          <Excerpt conversation={conversation} message={message} q={q} />
        </span>
      </button>
    </li>
  )
}

type ExcerptProps = { conversation: Conversation; message: Result['message']; q: string }

function Excerpt({ conversation, message, q }: ExcerptProps) {
  if (!message) {
    const { phoneNumber, username } = conversation
    return (
      <span className="truncate text-dense text-muted-foreground">
        {phoneNumber ? formatPhone(phoneNumber) : username}
      </span>
    )
  }
  return (
    <span
      dir="auto"
      className="message-text line-clamp-2 text-dense leading-5 text-muted-foreground [overflow-wrap:anywhere]"
    >
      {message.by === 'note' ? (
        <StickyNote role="img" aria-label="Note" className="mr-1 inline size-3.5 text-warning-text" />
      ) : null}
      <Marked text={excerptOf(message.text, q)} q={q} />
    </span>
  )
}

function Marked({ text, q }: { text: string; q: string }) {
  return splitMatches(text, q).map(({ part, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="rounded-sm bg-brand-muted text-brand-text">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}

function Hint({ children }: { children: string }) {
  return <p className="flex-1 p-4 text-center text-dense text-muted-foreground">{children}</p>
}
