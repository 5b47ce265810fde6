import type { WebhookEndpoint } from '@carillon/contract/webhook-records'
import { formatDateTime } from '../../../lib/format.ts'
import { writeView } from '../../../lib/url-state.ts'
import { AreaLink } from '../../../ui/area-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Facts, type Fact } from '../../../ui/facts.tsx'
import { When } from '../../../ui/text.tsx'
import { EnvironmentPill } from '../key-columns.tsx'
import { WriteButton } from '../write-button.tsx'
import { deliveriesView } from './deliveries-view.ts'
import { HealthPill } from './endpoint-columns.tsx'
import { schemeLabels } from './endpoint-labels.ts'
import { notSendable, type Asking } from './endpoint-menu.ts'
import { EndpointNotices } from './endpoint-notice.tsx'
import { eventGroups } from './event-groups.ts'

type EndpointPeekProps = Asking & { endpoint: WebhookEndpoint }

/** An endpoint with all that is known about it, and its actions. */
export function EndpointPeek({ endpoint, ...asking }: EndpointPeekProps) {
  const { description, isOwn, createdBy } = endpoint
  return (
    <div className="flex flex-col gap-5 px-5 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <HealthPill endpoint={endpoint} />
        <EnvironmentPill {...endpoint} />
      </div>
      <EndpointNotices endpoint={endpoint} />
      <Actions endpoint={endpoint} {...asking} />
      {isOwn ? null : (
        <p className="text-muted-foreground">
          The endpoint of {createdBy.name}. Only its owner can change it; you can delete it.
        </p>
      )}
      {description ? <p className="break-words">{description}</p> : null}
      <Facts facts={factsOf(endpoint)} />
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Events</h3>
        <Events types={endpoint.types} />
      </section>
    </div>
  )
}

function Actions({ endpoint, onAction, onTest, closed }: EndpointPeekProps) {
  const { id, isOwn, enabled } = endpoint
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" variant="primary" asChild>
        <AreaLink to="api-management" search={writeView(deliveriesView, { tab: 'webhooks', endpointId: id })}>
          Deliveries
        </AreaLink>
      </Button>
      {isOwn ? (
        <>
          {enabled ? null : (
            <Button size="sm" onClick={() => onAction({ kind: 'enable', endpoint })}>
              Enable…
            </Button>
          )}
          <WriteButton size="sm" closed={notSendable(endpoint)} onClick={() => onTest(endpoint)}>
            Send test event
          </WriteButton>
          <Button size="sm" onClick={() => onAction({ kind: 'edit', endpoint })}>
            Edit…
          </Button>
          <WriteButton size="sm" closed={closed} onClick={() => onAction({ kind: 'rotate', endpoint })}>
            Rotate secret…
          </WriteButton>
        </>
      ) : null}
      <Button size="sm" variant="bad" onClick={() => onAction({ kind: 'delete', endpoint })}>
        Delete…
      </Button>
    </div>
  )
}

function Events({ types }: Pick<WebhookEndpoint, 'types'>) {
  const groups = eventGroups
    .map((group) => ({ ...group, types: group.types.filter((type) => types.includes(type)) }))
    .filter((group) => group.types.length > 0)
  return (
    <dl className="flex flex-col gap-2">
      {groups.map((group) => (
        <div key={group.label}>
          <dt className="text-dense text-muted-foreground">{group.label}</dt>
          <dd className="flex flex-wrap gap-x-3 font-mono text-dense tracking-normal">
            {group.types.map((type) => (
              <span key={type}>{type}</span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf(endpoint: WebhookEndpoint): Fact[] {
  const { id, url, signature, publicKey, ordered, createdBy, createdAt } = endpoint
  const { lastDeliveredAt, lastFailedAt } = endpoint
  return [
    ['URL', <Copyable key="url" text={url} label="Copy URL" />],
    ['Owner', createdBy.name],
    ['Last delivered', lastDeliveredAt ? <When at={lastDeliveredAt} /> : 'Not yet'],
    ['Last failure', lastFailedAt ? <When at={lastFailedAt} /> : 'None'],
    ['Signature', schemeLabels[signature]],
    ...(publicKey ? [['Public key', <Copyable key="key" text={publicKey} label="Copy public key" />] as const] : []),
    ['Order', ordered ? 'One after the other' : 'As they come'],
    ['Created', formatDateTime(createdAt)],
    ['Id', <Copyable key="id" text={id} />],
  ]
}
