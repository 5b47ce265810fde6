import { count, text, time } from '../report-columns.ts'
import type { ReportEntry } from '../report-entry.ts'
import { isInSpan, literal } from '../report-span.ts'

const reasons = { owner: 'By its owner', gone: 'It answered that it is gone', failing: 'Too many failures' }
const reason = `case disabled_reason ${Object.entries(reasons)
  .map(([name, words]) => `when ${literal(name)} then ${literal(words)}`)
  .join(' ')} end`

/** Events by endpoint of the account and of those below, on the day of the event. */
export const webhookDelivery: ReportEntry = {
  rows: 'groups',
  columns: ({ timezone }) => [
    { key: 'day', title: 'Day', unit: 'day', value: 'happened_on' },
    text('organization', 'Organization', 'organization'),
    text('account', 'Account', 'account'),
    text('endpoint', 'Endpoint', 'url'),
    text('environment', 'Environment', 'environment'),
    text('event', 'Event', 'type'),
    count('deliveries', 'Events'),
    count('delivered', 'Delivered', 'arrived'),
    count('dead', 'Failed', 'dead'),
    count('retained', 'Kept while disabled', 'retained'),
    count('waiting', 'Waiting', 'waiting'),
    count('retries', 'Retries', 'retries'),
    time('disabledAt', 'Disabled at', { value: 'disabled_at', timezone }),
    text('disabledReason', 'Disabled', reason),
  ],
  source: ({ organization: { organizationId, path, name, timezone }, span }) => {
    const id = `${literal(organizationId)}::uuid`
    const local = `local_day(delivery.at, ${literal(timezone)})`
    return `
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, ${local} as happened_on,
      owner.name as account, endpoint.url, endpoint.environment, delivery.type, endpoint.disabled_at, endpoint.disabled_reason,
      count(*) as deliveries, count(*) filter (where delivery.status = 'delivered') as arrived, count(*) filter (where delivery.status = 'dead') as dead,
      count(*) filter (where delivery.status = 'retained') as retained, count(*) filter (where delivery.status = 'waiting') as waiting,
      sum(greatest(jsonb_array_length(delivery.attempts) - 1, 0)) as retries
    from (
      select endpoint_id, type, at, status, attempts from webhook_deliveries
      where organization_id = ${id} and logged_on >= ${literal(span.from)}::date - 1
      union all
      select endpoint_id, type, at, 'waiting', attempts from webhook_queue where organization_id = ${id}
    ) delivery
    join webhook_endpoints endpoint on endpoint.organization_id = ${id} and endpoint.id = delivery.endpoint_id and endpoint.url is not null
    join accounts owner on owner.organization_id = ${id} and owner.id = endpoint.account_id and owner.path <@ ${literal(path)}::ltree
    where ${isInSpan(span, local)}
    group by happened_on, owner.path, owner.name, endpoint.id, endpoint.url, endpoint.environment, endpoint.disabled_at,
      endpoint.disabled_reason, delivery.type
    order by happened_on, owner.path, endpoint.url, endpoint.id, delivery.type`
  },
}
