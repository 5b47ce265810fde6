import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import { apiKeysView, environments, type ApiKeysView } from '../api-keys-view.ts'
import type { ApiTabProps } from '../api-tabs.ts'
import { environmentLabels } from '../key-labels.ts'
import { useWritesClosed } from '../use-writes-closed.ts'
import { WriteButton } from '../write-button.tsx'
import type { EndpointAction } from './endpoint-action.ts'
import { EndpointCard, endpointColumns } from './endpoint-columns.tsx'
import { EndpointDialogs } from './endpoint-dialogs.tsx'
import { endpointName } from './endpoint-labels.ts'
import { endpointMenu } from './endpoint-menu.ts'
import { EndpointPeek } from './endpoint-peek.tsx'
import { useSendTest } from './use-send-test.ts'

/** Webhook endpoints of the account and of those below. The server lists all of them at once. */
export function EndpointsList({ title, tabs }: ApiTabProps) {
  const [view, setView] = useView(apiKeysView)
  const [action, setAction] = useState<EndpointAction>()
  const { environment, pageSize, search, openId } = view
  const query = environment ? { environment } : {}
  const read = useApi('webhookEndpoints.list', { query }, { keepPrevious: true, refetchInterval: 15_000 })
  const { rows, page, totalPages, total } = pageOf(read.data?.endpoints, view)
  const closed = useWritesClosed()
  const { send } = useSendTest()
  const asking = { onAction: setAction, onTest: send, closed }
  const create = (
    <WriteButton variant="primary" size="sm" closed={closed} onClick={() => setAction({ kind: 'create' })}>
      <Plus aria-hidden /> Add endpoint
    </WriteButton>
  )
  return (
    <>
      <DataScreen<WebhookEndpoint>
        id="webhook-endpoints"
        title={title}
        noun="endpoints"
        tabs={tabs}
        actions={rows?.length === 0 && search === '' && !environment ? null : create}
        search={{
          label: 'Search endpoints',
          value: search,
          onValueChange: (next) => setView({ search: next, page: 1 }, { replace: true }),
        }}
        filters={[environmentFilter(view, setView)]}
        source={sourceOf(read, rows)}
        columns={endpointColumns}
        rowId={({ id }) => id}
        rowName={endpointName}
        rowMenu={(endpoint) => endpointMenu(endpoint, asking)}
        card={(endpoint) => <EndpointCard endpoint={endpoint} />}
        peek={{
          id: openId,
          onPeek: (next) => setView({ openId: next }),
          elsewhere: useEndpointElsewhere(openId, rows),
          render: (endpoint) => ({
            title: <span className="truncate">{endpointName(endpoint)}</span>,
            name: endpointName(endpoint),
            body: <EndpointPeek endpoint={endpoint} {...asking} />,
          }),
        }}
        paging={{
          page,
          pageSize,
          onPage: (next) => setView({ page: next }),
          onPageSize: (next) => setView({ pageSize: next, page: 1 }),
          totalPages,
          total,
        }}
        empty={
          <Empty icon={Webhook} title="Add your first endpoint" actions={create}>
            {closed ?? 'Your server gets a signed request for each event: a message was delivered, a person answered.'}
          </Empty>
        }
      />
      {action ? (
        <EndpointDialogs
          action={action}
          onClose={() => setAction(undefined)}
          onDeleted={() => setView({ openId: undefined })}
        />
      ) : null}
    </>
  )
}

/** The page's part of the endpoints that match the search. */
function pageOf(endpoints: readonly WebhookEndpoint[] | undefined, { search, page, pageSize }: ApiKeysView) {
  if (!endpoints) return { rows: undefined, page, totalPages: undefined, total: undefined }
  const matching = endpoints.filter((endpoint) => matches(endpoint, search))
  const totalPages = Math.max(1, Math.ceil(matching.length / pageSize))
  const shown = Math.min(page, totalPages)
  return {
    rows: matching.slice((shown - 1) * pageSize, shown * pageSize),
    page: shown,
    totalPages,
    total: matching.length,
  }
}

function matches({ url, description, createdBy }: WebhookEndpoint, search: string): boolean {
  return `${url} ${description} ${createdBy.name}`.toLowerCase().includes(search.trim().toLowerCase())
}

function environmentFilter({ environment }: ApiKeysView, setView: (patch: Partial<ApiKeysView>) => void): Filter {
  return choiceFilter('environment', 'Environment', {
    options: environments.map((value) => ({ value, label: environmentLabels[value] })),
    value: environment,
    onChange: (value) => setView({ environment: environments.find((one) => one === value), page: 1 }),
  })
}

/** The open endpoint, if the list does not show it. */
function useEndpointElsewhere(id: string | undefined, rows: readonly WebhookEndpoint[] | undefined) {
  const enabled = isElsewhere(
    id,
    rows?.map((row) => row.id),
  )
  return useApi('webhookEndpoints.get', { path: { id: id ?? '' } }, { enabled }).data
}
