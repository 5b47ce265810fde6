import { useView } from '../../../lib/use-view.ts'
import { apiKeysView } from '../api-keys-view.ts'
import type { ApiTabProps } from '../api-tabs.ts'
import { DeliveriesPage } from './deliveries-page.tsx'
import { EndpointsList } from './endpoints-list.tsx'

/** Webhook endpoints, or the deliveries of one. */
export function WebhooksTab(props: ApiTabProps) {
  const [{ endpointId }] = useView(apiKeysView)
  return endpointId ? <DeliveriesPage key={endpointId} endpointId={endpointId} /> : <EndpointsList {...props} />
}
