import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { WebhookEventType, type DeliveredType } from '@carillon/contract/webhook-records'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { QueuedEvent } from '../../events/event-queue.ts'
import { readRoomsOfMembers } from '../conversations/index.ts'
import type { Visibility } from './data/occurrence.ts'
import { mayReceive } from './delivery/lanes.queries.ts'

/** An endpoint as events are handed to it. */
export type Receiver = {
  organizationId: string
  endpointId: string
  accountId: string
  path: string
  types: ReadonlySet<DeliveredType>
  isOrdered: boolean
  /** It is enabled, and its account may use the API. Otherwise events are only kept. */
  isOpen: boolean
}

type Row = Omit<Receiver, 'types'> & { types: string[] }

/** The endpoints of events, by id: of an environment, and without deleted ones. */
export async function readReceivers(
  db: Db,
  { events, environment }: { events: readonly QueuedEvent[]; environment: ApiEnvironment },
): Promise<Map<string, Receiver>> {
  const targets = [...new Map(events.map((event) => [event.target, event.organizationId]))]
  const receivers = await findReceivers(
    db,
    sql`select endpoint.*
      from unnest(${targets.map(([, organizationId]) => organizationId)}::uuid[], ${targets.map(([target]) => target)}::uuid[])
        as asked (organization_id, id)
      join webhook_endpoints endpoint using (organization_id, id)
      where environment = ${environment}`,
  )
  return new Map(receivers.map((receiver) => [receiver.endpointId, receiver]))
}

/** The endpoints of an organisation for events of test keys. */
export async function findTestReceivers(db: Db, organizationId: string): Promise<Receiver[]> {
  return findReceivers(
    db,
    sql`select * from webhook_endpoints where organization_id = ${organizationId}::uuid and environment = 'test'`,
  )
}

/** `endpoints` selects rows of `webhook_endpoints`. */
async function findReceivers(db: Db, endpoints: RawBuilder<unknown>): Promise<Receiver[]> {
  const { rows } = await sql<Row>`
    with endpoint as materialized (${endpoints}), owner as materialized (
      select account.id, account.path, ${sql.raw(mayReceive('account'))} as may_receive
      from (select distinct account_id from endpoint) distinct_owner join accounts account on account.id = distinct_owner.account_id
    )
    select endpoint.organization_id as "organizationId", endpoint.id as "endpointId", account_id as "accountId", owner.path::text, types,
      is_ordered as "isOrdered", disabled_at is null and may_receive as "isOpen"
    from endpoint join owner on owner.id = endpoint.account_id
    where url is not null or may_receive and expires_at > now()`.execute(db)
  return rows.map((row) => ({ ...row, types: new Set(parseTypes(row.types)) }))
}

const parseTypes = (types: readonly string[]) => types.flatMap((type) => WebhookEventType.safeParse(type).data ?? [])

/** Whether the account of a receiver sees an event, as it does elsewhere. */
export type Sees = (receiver: Receiver, visibleTo: Visibility) => boolean

/** Reads what the accounts see of the inbox, if there are events of conversations. */
export async function readSees(
  db: Db,
  receivers: readonly Receiver[],
  { hasConversations }: { hasConversations: boolean },
): Promise<Sees> {
  const accountIds = hasConversations ? [...new Set(receivers.map(({ accountId }) => accountId))] : []
  const rooms = await readRoomsOfMembers(db, accountIds)
  return ({ accountId, path }, visibleTo) => {
    if (visibleTo === 'organization') return true
    if ('path' in visibleTo) return isWithin(visibleTo.path, path)
    const own = rooms.get(accountId)
    return own !== undefined && visibleTo.rooms.some((room) => own.has(room))
  }
}

/** Whether an account is another one, or below it. */
export function isWithin(path: string, above: string): boolean {
  return `${path}.`.startsWith(`${above}.`)
}
