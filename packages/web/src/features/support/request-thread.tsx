import type { SupportMessage, SupportRequest } from '@carillon/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refresh, useApi } from '../../lib/use-api.ts'
import { useApiPages } from '../../lib/use-api-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Region } from '../../ui/region.tsx'
import { Composer } from './composer.tsx'
import { RequestHead } from './request-head.tsx'
import { isSupportMessage, isSupportRequest } from './support-records.ts'
import { ThreadMessage } from './thread-message.tsx'
import { sideOf } from './support-labels.ts'

/** A request: status, messages and composer. */
export function RequestThread({ id }: { id: string }) {
  const profile = useApi('profile.details', {})
  const request = useApi('support.get', { path: { id } })
  return (
    <Region read={request} label="the request" lines={6}>
      {(data) => (isSupportRequest(data) ? <Thread request={data} accountId={profile.data?._id} /> : null)}
    </Region>
  )
}

type ThreadProps = { request: SupportRequest; accountId: string | undefined }

function Thread({ request, accountId }: ThreadProps) {
  const side = sideOf(request, accountId)
  const messages = useMessages(request.id)
  return (
    <>
      <RequestHead request={request} side={side} />
      <Region read={messages} label="messages" lines={6}>
        {({ pages }) => (
          <>
            {messages.hasNextPage ? (
              <div className="grid place-items-center pt-3">
                <Button size="sm" loading={messages.isFetchingNextPage} onClick={() => void messages.fetchNextPage()}>
                  Load older
                </Button>
              </div>
            ) : null}
            <Messages messages={pages.flatMap(({ data }) => data.filter(isSupportMessage)).toReversed()} side={side} />
          </>
        )}
      </Region>
      <Composer request={request} side={side} />
    </>
  )
}

/** Ten at a time, newest first. Reading them marks them as seen, so lists are refreshed afterwards. */
function useMessages(id: string) {
  const queries = useQueryClient()
  const messages = useApiPages('support.messages', {
    inputOf: (page) => ({ path: { id }, query: { page, limit: 10 } }),
    hasMore: ({ pagination }, page) => page < pagination.totalPages,
    refetchInterval: 30_000,
  })
  const newest = messages.data?.pages[0]?.data[0]?.id
  useEffect(() => {
    if (newest) void refresh(queries, ['support.list'])
  }, [queries, newest])
  return messages
}

function Messages({ messages, side }: { messages: readonly SupportMessage[]; side: 'customer' | 'staff' }) {
  const end = useRef<HTMLLIElement>(null)
  const newest = messages.at(-1)?.id
  // The thread is scrolled to its end and follows new messages; loading older ones does not scroll.
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [newest])
  return (
    <ol className="flex flex-1 flex-col gap-4 px-5 py-4" aria-label="Messages">
      {messages.map((message) => (
        <ThreadMessage key={message.id} message={message} isOwnSide={message.direction === side} />
      ))}
      <li ref={end} aria-hidden className="scroll-mb-44" />
    </ol>
  )
}
