import type { ApiSendMessage } from '@carillon/contract/request-log-records'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { countOf, formatMoney, formatPhone } from '../../../lib/format.ts'
import { useApi } from '../../../lib/use-api.ts'
import { Pager } from '../../../ui/data-screen/pager.tsx'
import { MessagePill, Pill } from '../../../ui/pill.tsx'
import { Region } from '../../../ui/region.tsx'
import { When } from '../../../ui/text.tsx'
import type { ApiSendDetails } from './request-labels.ts'

const onPage = 10

/** The accepted messages of a request, in its order. */
export function SentMessages({ request: { id } }: { request: ApiSendDetails }) {
  const [page, setPage] = useState(1)
  const read = useApi(
    'support.messages',
    { path: { id }, query: { page, limit: onPage } },
    { keepPrevious: true, refetchInterval: 10_000 },
  )
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">Messages</h3>
      <Region read={read} label="messages" lines={3}>
        {({ data, pagination }) => {
          const messages = data.flatMap((message) => ('segments' in message ? [message] : []))
          return (
            <>
              {messages.length === 0 ? <p className="text-muted-foreground">No longer stored</p> : null}
              <ul className="divide-y divide-line rounded-lg border border-border empty:hidden">
                {messages.map((message) => (
                  <Sent key={message.id} message={message} />
                ))}
              </ul>
              {pagination.totalPages > 1 ? (
                <div className="-mx-5">
                  <Pager
                    {...pagination}
                    label="Pages of messages"
                    page={page}
                    pageSize={onPage}
                    onPage={setPage}
                    rowsHere={messages.length}
                  />
                </div>
              ) : null}
            </>
          )
        }}
      </Region>
    </section>
  )
}

function Sent({ message }: { message: ApiSendMessage }) {
  const { to, channel, status, reason, code, detail, segments, cost, legs } = message
  return (
    <li className="flex min-w-0 flex-col gap-1 px-3 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <ChannelMark channel={channel} markOnly />
        <span className="tabular-nums">{to === undefined ? 'Number not known' : formatPhone(to)}</span>
        <span className="ml-auto">
          {status === 'scheduled' ? (
            <Pill tone="info" icon={Clock}>
              Scheduled
            </Pill>
          ) : (
            <MessagePill status={status} />
          )}
        </span>
      </div>
      {reason ? (
        <p className="text-dense break-words text-danger-text">
          {detail ?? reason}
          {code ? <span className="text-muted-foreground"> {code}</span> : null}
        </p>
      ) : null}
      {legs?.map((leg, index) => (
        <p key={leg.id ?? index} className="text-dense break-words">
          Then {channelLabel(leg.channel)}
          {leg.refused ? <span className="text-danger-text">: {leg.refused.message}</span> : null}
        </p>
      ))}
      <p className="text-caption text-muted-foreground">
        {countOf(segments, 'part')} · {formatMoney(cost)} · <When at={latestOf(message)} />
      </p>
    </li>
  )
}

function latestOf({ createdAt, sendAt, sentAt, deliveredAt, readAt, failedAt }: ApiSendMessage): string {
  return readAt ?? failedAt ?? deliveredAt ?? sentAt ?? sendAt ?? createdAt
}
