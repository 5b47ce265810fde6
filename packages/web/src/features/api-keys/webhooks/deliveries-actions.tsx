import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { ChevronLeft, Ellipsis, RefreshCw } from 'lucide-react'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { apiKeysView } from '../api-keys-view.ts'
import { useWritesClosed } from '../use-writes-closed.ts'
import { WriteButton } from '../write-button.tsx'
import type { EndpointAction } from './endpoint-action.ts'
import { endpointName } from './endpoint-labels.ts'
import { endpointMenu, notSendable } from './endpoint-menu.ts'

export function BackLink() {
  return (
    <Tooltip label="All endpoints">
      <Button size="sm" variant="ghost" className="-ml-2.5" asChild>
        <AreaLink to="api-management" search={writeView(apiKeysView, { tab: 'webhooks' })} aria-label="All endpoints">
          <ChevronLeft aria-hidden />
        </AreaLink>
      </Button>
    </Tooltip>
  )
}

type DeliveriesActionsProps = {
  endpoint: WebhookEndpoint | undefined
  read: { isFetching: boolean; refetch: () => unknown }
  onAction: (action: EndpointAction) => void
  onTest: (endpoint: WebhookEndpoint) => void
  isTesting: boolean
  /** The page offers the test event as the first step. */
  isEmpty: boolean
}

export function DeliveriesActions({ endpoint, read, onAction, onTest, isTesting, isEmpty }: DeliveriesActionsProps) {
  const closed = useWritesClosed()
  return (
    <>
      <IconButton label="Refresh" size="sm" onClick={() => void read.refetch()}>
        <RefreshCw aria-hidden className={read.isFetching ? 'animate-spin' : undefined} />
      </IconButton>
      {endpoint ? (
        <>
          <WriteButton
            size="sm"
            closed={notSendable(endpoint)}
            onClick={() => onAction({ kind: 'replay-missed', endpoint })}
          >
            Replay missed…
          </WriteButton>
          <Menu
            label={`Actions for ${endpointName(endpoint)}`}
            items={endpointMenu(endpoint, { onAction, onTest, closed })}
            trigger={
              <IconButton label={`Actions for ${endpointName(endpoint)}`} size="sm">
                <Ellipsis aria-hidden />
              </IconButton>
            }
          />
          {isEmpty ? null : (
            <WriteButton
              size="sm"
              variant="primary"
              closed={notSendable(endpoint)}
              loading={isTesting}
              onClick={() => onTest(endpoint)}
            >
              Send test event
            </WriteButton>
          )}
        </>
      ) : null}
    </>
  )
}
