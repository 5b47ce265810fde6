import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { countOf } from '../../../lib/format.ts'
import type { Column } from '../../../ui/data-screen/columns.ts'
import { Missing, When } from '../../../ui/text.tsx'
import { EnvironmentPill } from '../key-columns.tsx'
import { LookPill } from '../look-pill.tsx'
import { endpointName, healthOf } from './endpoint-labels.ts'

export const endpointColumns: readonly Column<WebhookEndpoint>[] = [
  { id: 'url', header: 'URL', cell: (endpoint) => <Named endpoint={endpoint} /> },
  { id: 'environment', header: 'Environment', width: 112, cell: (endpoint) => <EnvironmentPill {...endpoint} /> },
  { id: 'types', header: 'Events', width: 92, cell: ({ types }) => <Types types={types} /> },
  { id: 'health', header: 'State', width: 130, cell: (endpoint) => <HealthPill endpoint={endpoint} /> },
  { id: 'delivered', header: 'Last delivered', width: 136, cell: ({ lastDeliveredAt: at }) => <Delivered at={at} /> },
  {
    id: 'failed',
    header: 'Last failure',
    width: 136,
    cell: ({ lastFailedAt: at }) => (at ? <When at={at} /> : <Missing why="none" />),
  },
  { id: 'created', header: 'Created', width: 130, optional: true, cell: ({ createdAt }) => <When at={createdAt} /> },
]

export function HealthPill({ endpoint }: { endpoint: WebhookEndpoint }) {
  return <LookPill look={healthOf(endpoint)} />
}

function Delivered({ at }: { at: string | null }) {
  return at ? <When at={at} /> : <span className="text-muted-foreground">Not yet</span>
}

function Types({ types }: Pick<WebhookEndpoint, 'types'>) {
  return <span title={types.join(', ')}>{countOf(types.length, 'type')}</span>
}

/** The description, and whose endpoint it is if it is not the reader's. */
function detailOf({ description, isOwn, createdBy }: WebhookEndpoint): string {
  return [description, isOwn ? '' : `by ${createdBy.name}`].filter(Boolean).join(' · ')
}

function Named({ endpoint }: { endpoint: WebhookEndpoint }) {
  const detail = detailOf(endpoint)
  return (
    <span className="block max-w-120 min-w-0 leading-tight" title={endpoint.url}>
      <b className="block truncate font-medium">{endpointName(endpoint)}</b>
      {detail ? <small className="block truncate text-caption text-muted-foreground">{detail}</small> : null}
    </span>
  )
}

/** An endpoint in the list on phones. */
export function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { types, lastDeliveredAt } = endpoint
  const detail = detailOf(endpoint)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <b className="block font-medium break-all">{endpointName(endpoint)}</b>
          {detail ? <small className="block text-caption break-words text-muted-foreground">{detail}</small> : null}
        </div>
        <HealthPill endpoint={endpoint} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-dense">
        <EnvironmentPill {...endpoint} />
        <span className="text-muted-foreground">
          {countOf(types.length, 'type')}
          {lastDeliveredAt ? (
            <>
              {' · '}delivered <When at={lastDeliveredAt} />
            </>
          ) : null}
        </span>
      </div>
    </div>
  )
}
