import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { recordAudit } from '../audit/index.ts'
import { queueMail } from '../mails/index.ts'
import { notify } from '../notifications/index.ts'

type Disabling = { organizationId: string; endpointId: string; reason: 'gone' | 'failing'; now: Date }

const explanations = {
  gone: 'It answered 410 Gone.',
  failing: 'All attempts of the last five days have failed.',
}

/** Disables an endpoint that gets events no more, and informs its owner. Events that occur meanwhile are kept. */
export async function disableEndpoint(db: Db, { organizationId, endpointId, reason, now }: Disabling): Promise<void> {
  const { rows } = await sql<{ url: string; accountId: string; email: string; name: string }>`
    update webhook_endpoints endpoint set disabled_at = ${now}, disabled_reason = ${reason}, updated_at = now()
    from accounts account
    where endpoint.organization_id = ${organizationId}::uuid and endpoint.id = ${endpointId}::uuid and disabled_at is null
      and account.organization_id = endpoint.organization_id and account.id = endpoint.account_id
    returning endpoint.url, account.id as "accountId", account.email, account.name`.execute(db)
  const [endpoint] = rows
  if (!endpoint) return
  const { url, accountId, email, name } = endpoint
  const title = 'A webhook endpoint was disabled'
  const { host } = new URL(url)
  const change = `${explanations[reason]} New events are kept and can be replayed once it is enabled again.`
  await recordAudit(db, {
    organizationId,
    actorId: undefined,
    action: 'webhook_endpoint.disabled',
    object: { type: 'webhook_endpoint', id: endpointId },
    details: { host, reason },
  })
  await notify(db, [
    {
      organizationId,
      accountId,
      kind: 'webhook_disabled',
      title,
      description: `${host}: ${change}`,
      link: { type: 'webhook_endpoint', id: endpointId },
      eventKey: `webhook_disabled:${endpointId}:${now.toISOString()}`,
    },
  ])
  await queueMail(db, {
    organizationId,
    to: email,
    subject: title,
    body: `Hello ${name},\n\nThe webhook endpoint on ${host} was disabled. ${change}`,
    link: '/',
  })
}
