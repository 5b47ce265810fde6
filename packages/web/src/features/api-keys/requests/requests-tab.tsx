import type { ApiSendRequest } from '@carillon/contract/request-log-records'
import { ScrollText } from 'lucide-react'
import { channelLabel } from '../../../channels/channel-mark.tsx'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Button } from '../../../ui/button.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import type { ApiTabProps } from '../api-tabs.ts'
import { RequestCard, requestColumns } from './request-columns.tsx'
import { callOf, isApiSend, requestLooks, requestName } from './request-labels.ts'
import { RequestPeek } from './request-peek.tsx'
import { requestChannels, requestsQueryOf, requestStatuses, requestsView, type RequestsView } from './requests-view.ts'

/** The calls of API keys that send, newest first. */
export function RequestsTab({ title, tabs }: ApiTabProps) {
  const [view, setView] = useView(requestsView)
  const read = useApi('support.list', { query: requestsQueryOf(view) }, { keepPrevious: true, refetchInterval: 5000 })
  const rows = read.data?.data.filter(isApiSend)
  return (
    <DataScreen<ApiSendRequest>
      id="api-requests"
      title={title}
      noun="requests"
      tabs={tabs}
      filters={useFilters(view, setView)}
      source={sourceOf(read, rows)}
      columns={requestColumns}
      rowId={({ id }) => id}
      rowName={requestName}
      card={(request) => <RequestCard request={request} />}
      peek={{
        id: view.openId,
        onPeek: (openId) => setView({ openId }),
        elsewhere: useRequestElsewhere(view.openId, rows),
        render: (request) => ({
          title: <span className="truncate">{callOf(request)}</span>,
          name: callOf(request),
          isWide: true,
          body: <RequestPeek key={request.id} request={request} />,
        }),
      }}
      paging={{
        page: view.page,
        pageSize: view.pageSize,
        onPage: (page) => setView({ page }),
        onPageSize: (pageSize) => setView({ pageSize, page: 1 }),
        totalPages: read.data?.pagination.totalPages,
        total: read.data?.pagination.total,
      }}
      empty={
        <Empty
          icon={ScrollText}
          title="No requests yet"
          actions={
            <Button variant="primary" onClick={() => tabs.onValueChange('quickstart')}>
              Open the quickstart
            </Button>
          }
        >
          Calls of API keys that send messages are listed here, with the request, the response and the messages.
        </Empty>
      }
    />
  )
}

function useFilters(view: RequestsView, setView: (patch: Partial<RequestsView>) => void): readonly Filter[] {
  const keys = useApi('apiKeys.list', { query: { limit: 100 } })
  return [
    {
      id: 'time',
      label: 'Time',
      kind: 'range',
      value: view.range,
      onChange: (range) => setView({ range, page: 1 }),
    },
    choiceFilter('status', 'Status', {
      options: requestStatuses.map((value) => ({ value, label: requestLooks[value].label })),
      value: view.status,
      onChange: (value) => setView({ status: requestStatuses.find((one) => one === value), page: 1 }),
    }),
    choiceFilter('channel', 'Channel', {
      options: requestChannels.map((value) => ({ value, label: channelLabel(value) })),
      value: view.channel,
      onChange: (value) => setView({ channel: requestChannels.find((one) => one === value), page: 1 }),
    }),
    choiceFilter('key', 'Key', {
      options: keys.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [],
      value: view.keyId,
      onChange: (keyId) => setView({ keyId, page: 1 }),
    }),
  ]
}

/** The open request, if it is not on the page. */
function useRequestElsewhere(id: string | undefined, rows: readonly ApiSendRequest[] | undefined) {
  const enabled = isElsewhere(
    id,
    rows?.map((row) => row.id),
  )
  const found = useApi('support.get', { path: { id: id ?? '' } }, { enabled }).data
  return found && isApiSend(found) ? found : undefined
}
