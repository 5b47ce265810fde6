import type { Conversation } from '@carillon/contract/conversation-records'
import { Ghost, MessagesSquare, UserRoundCheck } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { FirstContact } from './first-contact-part.ts'
import { takeConversations } from './state/use-inbox-list.ts'
import { useApi } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Denied } from '../../ui/denied.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Loading, SkeletonLines } from '../../ui/skeleton.tsx'
import type { CallData } from '../../lib/call.ts'

export type Gone = { chatId: string; assignee?: string | undefined }

type OpenChatProps = {
  chatId: string | undefined
  gone: Gone | undefined
  /** There is no conversation at all. */
  isInboxEmpty: boolean
  onBack: () => void
  children: (details: CallData<'conversations.get'>) => ReactNode
}

/** The conversation of the address, in each of its states. */
export function OpenChat({ chatId, gone, isInboxEmpty, onBack, children }: OpenChatProps) {
  if (!chatId && isInboxEmpty) {
    return (
      <Middle>
        <FirstContact />
      </Middle>
    )
  }
  if (!chatId) {
    return (
      <Middle>
        <Empty icon={MessagesSquare} title="Pick a conversation">
          Move through the list with J and K, and open a conversation with Enter.
        </Empty>
      </Middle>
    )
  }
  if (gone?.chatId === chatId) return <Taken assignee={gone.assignee} onBack={onBack} />
  return (
    <Loaded key={chatId} chatId={chatId} onBack={onBack}>
      {children}
    </Loaded>
  )
}

type LoadedProps = { chatId: string; onBack: () => void; children: OpenChatProps['children'] }

function Loaded({ chatId, onBack, children }: LoadedProps) {
  const details = useApi('conversations.get', { path: { id: chatId } })
  const conversation = details.data?.conversation
  // The list shows what was read, also while events do not arrive.
  useEffect(() => {
    if (conversation) takeConversations([conversation])
  }, [conversation])
  if (details.data && !isLost(details.error)) return children(details.data)
  const { error } = details
  if (error?.status === 404) {
    return (
      <Middle>
        <Empty icon={Ghost} title="Conversation not found" actions={<Back onBack={onBack} />}>
          It may belong to a colleague, or to a line that you no longer answer.
        </Empty>
      </Middle>
    )
  }
  if (error?.status === 403) {
    return (
      <Middle>
        <Denied actions={<Back onBack={onBack} />} />
      </Middle>
    )
  }
  if (error) {
    return (
      <div className="flex-1">
        <Failure error={error} onRetry={() => void details.refetch()} />
      </div>
    )
  }
  return (
    <div className="flex-1">
      <Loading label="Loading the conversation">
        <SkeletonLines count={6} />
      </Loading>
    </div>
  )
}

/** It was visible, and is not any more. */
const isLost = (error: { status: number } | null) => error?.status === 404 || error?.status === 403

function Taken({ assignee, onBack }: { assignee: string | undefined; onBack: () => void }) {
  return (
    <Middle>
      <Empty
        icon={UserRoundCheck}
        title={assignee ? `${assignee} took this conversation` : 'You no longer have access to this conversation'}
        actions={<Back onBack={onBack} />}
      >
        It left your list.
      </Empty>
    </Middle>
  )
}

function Back({ onBack }: { onBack: () => void }) {
  return <Button onClick={onBack}>Back to conversations</Button>
}

function Middle({ children }: { children: ReactNode }) {
  return <div className="grid flex-1 place-items-center overflow-y-auto">{children}</div>
}

/** The row that follows a conversation in the list, else the one before it. */
export function neighbourOf(rows: readonly Conversation[], chatId: string): string | undefined {
  const index = rows.findIndex((row) => row.chatId === chatId)
  if (index < 0) return undefined
  return (rows[index + 1] ?? rows[index - 1])?.chatId
}
