import { count, rupees, text, time } from '../report-columns.ts'
import type { ReportEntry } from '../report-entry.ts'
import { isInSpan, literal } from '../report-span.ts'

/** Calls of keys of the account and of those below. Calls that send are in the request log as well, as long as it is kept. */
export const apiUsage: ReportEntry = {
  rows: 'groups',
  columns: ({ timezone }) => [
    { key: 'day', title: 'Day', unit: 'day', value: 'used_on' },
    text('organization', 'Organization', 'organization'),
    text('account', 'Account', 'account'),
    text('key', 'API key', 'key_name'),
    text('prefix', 'Prefix', `'carillon_' || environment || '_' || public_id`),
    text('environment', 'Environment', 'environment'),
    count('calls', 'Calls'),
    count('sends', 'Sending calls'),
    count('refused', 'Refused sending calls', 'errors'),
    count('messages', 'Messages'),
    count('accepted', 'Accepted messages', 'accepted'),
    rupees('reserved', 'Reserved', 'reserved'),
    time('lastAt', 'Last call at', { value: 'last_used_at', timezone }),
    text('lastIp', 'Last address', 'host(last_used_ip)'),
  ],
  source: ({ organization: { organizationId, path, name, timezone }, span }) => {
    const id = `${literal(organizationId)}::uuid`
    return `
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, used.day as used_on,
      owner.name as account, key.name as key_name, key.public_id, key.environment, used.requests as calls, used.last_used_at,
      used.last_used_ip, used.sends, used.errors, used.messages, used.accepted, used.reserved
    from (
      select * from (
        select api_key_id, day, requests, last_used_at, last_used_ip from api_key_days
        where organization_id = ${id} and ${isInSpan(span, 'day')}
      ) counted full join (
        select api_key_id, local_day(created_at, ${literal(timezone)}) as day, count(*) as sends,
          count(*) filter (where http_status >= 400) as errors, sum(messages) filter (where not is_replay) as messages,
          sum(accepted) filter (where not is_replay) as accepted, sum(cost) as reserved
        from api_requests
        where organization_id = ${id} and created_on between ${literal(span.from)}::date - 1 and ${literal(span.to)}::date + 1
          and ${isInSpan(span, `local_day(created_at, ${literal(timezone)})`)}
        group by api_key_id, 2
      ) logged using (api_key_id, day)
    ) used
    join api_keys key on key.organization_id = ${id} and key.id = used.api_key_id
    join accounts owner on owner.organization_id = ${id} and owner.id = key.account_id and owner.path <@ ${literal(path)}::ltree
    order by used.day, owner.path, key.name, key.id`
  },
}
