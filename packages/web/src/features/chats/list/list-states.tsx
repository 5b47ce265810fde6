import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { FirstContact } from '../first-contact-part.ts'
import { boxNames } from '../chat-labels.ts'
import { countFilters, noFilters, type ChatsView } from '../chats-view.ts'

export function ListLoading() {
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      <Loading label="Loading conversations">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index} className="grid h-16 grid-cols-[42px_1fr] items-center gap-3 pr-4 pl-3.5">
            <Skeleton className="size-8.5 justify-self-center rounded-full" />
            <span className="flex flex-col gap-2">
              <Skeleton className="w-1/2" />
              <Skeleton className="w-4/5" />
            </span>
          </div>
        ))}
      </Loading>
    </div>
  )
}

type NoConversationsProps = { view: ChatsView; onView: (patch: Partial<ChatsView>) => void; hasAny: boolean }

export function NoConversations({ view, onView, hasAny }: NoConversationsProps) {
  const count = countFilters(view)
  if (count > 0) {
    return (
      <Nothing>
        <Empty
          icon={MessagesSquare}
          title="No conversations match"
          actions={<Button onClick={() => onView(noFilters)}>Clear filters</Button>}
        >
          {count === 1 ? 'One filter is active.' : `${count} filters are active.`}
        </Empty>
      </Nothing>
    )
  }
  if (hasAny && view.box !== 'all') {
    return (
      <Nothing>
        <Empty
          icon={MessagesSquare}
          title={view.box === 'mine' ? 'You have no conversations' : 'No unassigned conversations'}
          actions={<Button onClick={() => onView({ box: 'all' })}>Show {boxNames.all.toLowerCase()}</Button>}
        >
          {view.box === 'mine' ? 'Conversations assigned to you appear here.' : 'Each conversation has an assignee.'}
        </Empty>
      </Nothing>
    )
  }
  return (
    <Nothing>
      <Empty icon={MessagesSquare} title="New messages appear here the moment they arrive">
        Customers who reply to a campaign, or write to one of your numbers, are listed here.
      </Empty>
      <div className="md:hidden">
        <FirstContact />
      </div>
    </Nothing>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
}
