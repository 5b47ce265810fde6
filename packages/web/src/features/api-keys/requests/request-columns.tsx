import type { ApiSendRequest } from '@carillon/contract/request-log-records'
import { ChannelMark } from '../../../channels/channel-mark.tsx'
import { countOf, formatCount } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Missing, When } from '../../../ui/text.tsx'
import { LookPill } from '../look-pill.tsx'
import { callOf, requestLooks } from './request-labels.ts'

export const requestColumns: readonly Column<ApiSendRequest>[] = [
  { id: 'id', header: 'Request id', cell: (request) => <Named request={request} /> },
  { id: 'at', header: 'Time', width: 136, cell: ({ createdAt }) => <When at={createdAt} /> },
  { id: 'key', header: 'Key', width: 180, cell: (request) => <KeyName request={request} /> },
  { id: 'channel', header: 'Channel', width: 120, cell: ({ channel }) => <ChannelOf channel={channel} /> },
  { id: 'count', header: 'Count', width: 92, align: 'right', cell: ({ counts }) => <Count counts={counts} /> },
  { id: 'status', header: 'Status', width: 150, cell: ({ status }) => <LookPill look={requestLooks[status]} /> },
]

/** The call and its answer: POST /messages · 200. */
function Answered({ request }: { request: ApiSendRequest }) {
  const { httpStatus, code, isReplay } = request
  return (
    <>
      {callOf(request)} · {httpStatus}
      {code ? ` ${code}` : ''}
      {isReplay ? ' · replay' : ''}
    </>
  )
}

function Named({ request }: { request: ApiSendRequest }) {
  return (
    <span className="block min-w-0 leading-tight">
      <span className="block truncate font-mono text-dense tracking-normal">{request.id}</span>
      <small className="block truncate text-caption text-muted-foreground">
        <Answered request={request} />
      </small>
    </span>
  )
}

const isTest = ({ environment }: ApiSendRequest) => environment === 'test'

function KeyName({ request }: { request: ApiSendRequest }) {
  return (
    <span className="block max-w-43 min-w-0 leading-tight" title={request.key.name}>
      <span className="block truncate">{request.key.name}</span>
      {isTest(request) ? <small className="block text-caption text-muted-foreground">Test</small> : null}
    </span>
  )
}

function ChannelOf({ channel }: Pick<ApiSendRequest, 'channel'>) {
  return channel ? <ChannelMark channel={channel} /> : <Missing why="none, or several" />
}

function Count({ counts: { messages, accepted, refused } }: Pick<ApiSendRequest, 'counts'>) {
  return (
    <span className="block leading-tight">
      {formatCount(messages)}
      {accepted > 0 && refused > 0 ? (
        <small className="block text-caption text-muted-foreground">{formatCount(refused)} refused</small>
      ) : null}
    </span>
  )
}

/** A request in the list on phones. */
export function RequestCard({ request }: { request: ApiSendRequest }) {
  const { key, status, channel, counts, createdAt } = request
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-words">
            {key.name}
            {isTest(request) ? <small className="text-caption font-normal text-muted-foreground"> Test</small> : null}
          </b>
          <small className="block text-caption break-words text-muted-foreground">
            <Answered request={request} />
          </small>
        </div>
        <LookPill look={requestLooks[status]} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-dense">
        {channel ? <ChannelMark channel={channel} /> : null}
        <span className="text-muted-foreground">
          {countOf(counts.messages, 'message')} · <When at={createdAt} />
        </span>
      </div>
    </div>
  )
}
