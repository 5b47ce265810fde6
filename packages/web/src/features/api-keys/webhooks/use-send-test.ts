import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { writeView } from '../../../lib/url-state.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { toast } from '../../../ui/toast.tsx'
import { deliveriesView } from './deliveries-view.ts'
import { deliveryReads } from './webhook-reads.ts'

/** Sends a test event and opens its delivery. */
export function useSendTest(): { send: (endpoint: WebhookEndpoint) => void; isPending: boolean } {
  const go = useGo()
  const test = useApiWrite('webhookEndpoints.test', {
    refreshes: deliveryReads,
    onSuccess: ({ id }, { path }) =>
      go('api-management', writeView(deliveriesView, { tab: 'webhooks', endpointId: path.id, openId: id })),
    onError: ({ message }) => toast.error(message),
  })
  return { send: ({ id }) => test.mutate({ path: { id }, body: {} }), isPending: test.isPending }
}
