import type { WebhookDelivery, WebhookEndpoint } from '@carillon/contract/webhook-records'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { CallData } from '../../../lib/call.ts'
import { writeView } from '../../../lib/url-state.ts'
import { useApi } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { sourceOf } from '../../../ui/data-screen/columns.ts'
import { DataScreen } from '../../../ui/data-screen/data-screen.tsx'
import { choiceFilter, type Filter } from '../../../ui/data-screen/filter.ts'
import { isElsewhere } from '../../../ui/data-screen/is-elsewhere.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { apiKeysView } from '../api-keys-view.ts'
import { WriteButton } from '../write-button.tsx'
import { BackLink, DeliveriesActions } from './deliveries-actions.tsx'
import {
  cursorsOfPage,
  deliveriesOnPage,
  deliveriesQueryOf,
  deliveriesView,
  deliveryStatuses,
  type DeliveriesView,
} from './deliveries-view.ts'
import { DeliveryCard, deliveryColumns, deliveryName } from './delivery-columns.tsx'
import { DeliveryPeek } from './delivery-peek.tsx'
import type { EndpointAction } from './endpoint-action.ts'
import { EndpointDialogs } from './endpoint-dialogs.tsx'
import { deliveryLooks, endpointName } from './endpoint-labels.ts'
import { notSendable } from './endpoint-menu.ts'
import { EndpointNotices } from './endpoint-notice.tsx'
import { eventTypes } from './event-groups.ts'
import { useSendTest } from './use-send-test.ts'

/** The deliveries of an endpoint, newest first. */
export function DeliveriesPage({ endpointId }: { endpointId: string }) {
  const [action, setAction] = useState<EndpointAction>()
  const go = useGo()
  const path = { id: endpointId }
  // Its health follows the deliveries below within seconds.
  const endpoint = useApi('webhookEndpoints.get', { path }, { refetchInterval: 5000 })
  if (endpoint.error && !endpoint.data)
    return (
      <Page title="Webhook endpoint" lead={<BackLink />}>
        <Failure error={endpoint.error} onRetry={() => void endpoint.refetch()} />
      </Page>
    )
  return (
    <>
      <Deliveries endpointId={endpointId} endpoint={endpoint.data} onAction={setAction} />
      {action ? (
        <EndpointDialogs
          action={action}
          onClose={() => setAction(undefined)}
          onDeleted={() => go('api-management', writeView(apiKeysView, { tab: 'webhooks' }))}
        />
      ) : null}
    </>
  )
}

type DeliveriesProps = {
  endpointId: string
  endpoint: WebhookEndpoint | undefined
  onAction: (action: EndpointAction) => void
}

function Deliveries({ endpointId, endpoint, onAction }: DeliveriesProps) {
  const [view, setView] = useView(deliveriesView)
  const path = { id: endpointId }
  const read = useApi(
    'webhookEndpoints.deliveries',
    { path, query: deliveriesQueryOf(view) },
    { keepPrevious: true, refetchInterval: intervalOf },
  )
  const rows = read.data?.deliveries
  const test = useSendTest()
  return (
    <DataScreen<WebhookDelivery>
      id="webhook-deliveries"
      title={endpoint ? endpointName(endpoint) : 'Deliveries'}
      lead={<BackLink />}
      noun="deliveries"
      actions={
        <DeliveriesActions
          endpoint={endpoint}
          read={read}
          onAction={onAction}
          onTest={test.send}
          isTesting={test.isPending}
          isEmpty={rows?.length === 0 && !view.status && !view.type}
        />
      }
      notice={endpoint ? <EndpointNotices endpoint={endpoint} shape="bar" /> : null}
      filters={filtersOf(view, setView)}
      source={sourceOf(read, rows)}
      columns={deliveryColumns}
      rowId={({ id }) => id}
      rowName={deliveryName}
      card={(delivery) => <DeliveryCard delivery={delivery} />}
      peek={{
        id: view.openId,
        onPeek: (openId) => setView({ openId }),
        elsewhere: useDeliveryElsewhere(endpointId, view.openId, rows),
        render: (delivery) => ({
          title: <span className="truncate">Delivery of {delivery.type}</span>,
          name: `Delivery of ${delivery.type}`,
          isWide: true,
          body: <DeliveryPeek key={delivery.id} delivery={delivery} endpoint={endpoint} />,
        }),
      }}
      paging={{
        page: view.cursors.length + 1,
        pageSize: deliveriesOnPage,
        onPage: (page) => setView({ cursors: cursorsOfPage(page, view, read.data?.nextCursor ?? null) }),
        hasNext: typeof read.data?.nextCursor === 'string',
      }}
      empty={<NoDelivery endpoint={endpoint} onTest={test.send} isTesting={test.isPending} />}
    />
  )
}

type NoDeliveryProps = {
  endpoint: WebhookEndpoint | undefined
  onTest: (endpoint: WebhookEndpoint) => void
  isTesting: boolean
}

function NoDelivery({ endpoint, onTest, isTesting }: NoDeliveryProps) {
  return (
    <Empty
      icon={Inbox}
      title="Nothing was delivered yet"
      actions={
        endpoint ? (
          <WriteButton
            variant="primary"
            closed={notSendable(endpoint)}
            loading={isTesting}
            onClick={() => onTest(endpoint)}
          >
            Send test event
          </WriteButton>
        ) : null
      }
    >
      Each event that this endpoint gets is listed here, with the request and the response of every attempt.
    </Empty>
  )
}

function filtersOf(view: DeliveriesView, setView: (patch: Partial<DeliveriesView>) => void): readonly Filter[] {
  return [
    choiceFilter('status', 'Status', {
      options: deliveryStatuses.map((value) => ({ value, label: deliveryLooks[value].label })),
      value: view.status,
      onChange: (value) => setView({ status: deliveryStatuses.find((one) => one === value), cursors: [] }),
    }),
    choiceFilter('type', 'Event', {
      options: [...eventTypes, 'endpoint.test'].map((value) => ({ value, label: value })),
      value: view.type || undefined,
      onChange: (value) => setView({ type: value ?? '', cursors: [] }),
    }),
  ]
}

const soonMs = 10_000

/** Often while an attempt is due. A page has up to 400 kB. */
function intervalOf(data: CallData<'webhookEndpoints.deliveries'> | undefined): number {
  const isDue = data?.deliveries.some(
    ({ nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) - Date.now() < soonMs,
  )
  return isDue ? 2000 : 15_000
}

/** The open delivery, if it is not on the page. */
function useDeliveryElsewhere(
  id: string,
  deliveryId: string | undefined,
  rows: readonly WebhookDelivery[] | undefined,
) {
  const enabled = isElsewhere(
    deliveryId,
    rows?.map((row) => row.id),
  )
  const input = { path: { id, deliveryId: deliveryId ?? '' } }
  return useApi('webhookEndpoints.delivery', input, { enabled }).data
}
