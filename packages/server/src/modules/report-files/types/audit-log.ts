import { text, time } from '../report-columns.ts'
import type { ReportEntry } from '../report-entry.ts'
import { literal } from '../report-span.ts'

/** Transfers are recorded with two account ids, which are shown as names. */
const details = `case when action = 'balance.moved' then details || jsonb_build_object(
    'from', coalesce(name_above((details ->> 'from')::uuid), 'Account above'),
    'to', coalesce(name_above((details ->> 'to')::uuid), 'Account above'))
  else details end`

/** The audit log of the organization, as its calls show it, in the order of its entries. */
export const auditLog: ReportEntry = {
  rows: 'groups',
  columns: ({ timezone }) => [
    time('at', 'Time', { value: 'at', timezone }),
    text('organization', 'Organization', 'organization'),
    text(
      'actor',
      'Actor',
      `coalesce(name_above(actor_id), case when actor_id is null then 'Carillon' else 'Former user' end)`,
    ),
    text('subject', 'On account', 'name_above(subject_id)'),
    text('action', 'Action', 'action'),
    text('objectType', 'Object', 'object_type'),
    text('objectId', 'Object ID', 'object_id'),
    text('apiKey', 'API key', `details ->> 'apiKey'`),
    text('details', 'Details', `nullif((${details})::text, '{}')`),
  ],
  source: ({ organization: { organizationId, path, name, timezone }, span: { from, to } }) => `
    select ${literal(name)} as organization, null::date as day, 0 as submitted, 0 as delivered, 0 as failed, line.*
    from audit_log line
    where line.organization_id = ${literal(organizationId)}::uuid
      and exists (select from accounts founder where founder.id = ${literal(organizationId)}::uuid and founder.path <@ ${literal(path)}::ltree)
      and line.at >= day_start(${literal(from)}::date, ${literal(timezone)})
      and line.at < day_start(${literal(to)}::date + 1, ${literal(timezone)})
    order by line.seq`,
}
