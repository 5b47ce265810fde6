import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { DisabledReason, WebhookEndpoint, WebhookEventType, WebhookSignature } from '@carillon/contract/webhook-records'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { WebhookEndpoints, WebhookLanes } from '../../db/schema.ts'
import { within } from '../../db/scope.ts'
import { notFound, Problem } from '../../lib/problem.ts'

/** An endpoint with a URL. */
export type EndpointRow = Selectable<WebhookEndpoints> & { url: string }

type Row = EndpointRow &
  Pick<Selectable<WebhookLanes>, 'held_until' | 'failing_since' | 'last_delivered_at' | 'last_failed_at'> & {
    owner_name: string
  }

/** Endpoints of the caller and of accounts below; with an API key, those of its environment. */
const visibleTo = ({
  scope,
  apiKey,
}: UserActor) => sql<boolean>`(endpoint.url is not null and ${within(scope, 'owner.path')}
  and endpoint.environment = coalesce(${apiKey?.environment ?? null}, endpoint.environment))`

export async function listEndpoints(
  db: Db,
  { actor, environment, now }: { actor: UserActor; environment: ApiEnvironment | undefined; now: Date },
): Promise<WebhookEndpoint[]> {
  const matching = sql<boolean>`endpoint.environment = coalesce(${environment ?? null}, endpoint.environment)`
  return readEndpoints(db, { actor, matching, now })
}

export async function getEndpoint(
  db: Db,
  { actor, id, now }: { actor: UserActor; id: string; now: Date },
): Promise<WebhookEndpoint> {
  const [endpoint] = await readEndpoints(db, { actor, matching: sql<boolean>`endpoint.id = ${id}::uuid`, now })
  if (!endpoint) throw notFound('Webhook endpoint')
  return endpoint
}

/** More than the accounts of an organisation have. */
const mostListed = 500

type Read = { actor: UserActor; matching: RawBuilder<boolean>; now: Date }

async function readEndpoints(db: Db, { actor, matching, now }: Read): Promise<WebhookEndpoint[]> {
  const { rows } = await sql<Row>`
    select endpoint.*, lane.held_until, lane.failing_since, lane.last_delivered_at, lane.last_failed_at, owner.name as owner_name
    from webhook_endpoints endpoint
    join webhook_lanes lane on lane.organization_id = endpoint.organization_id and lane.endpoint_id = endpoint.id
    join accounts owner on owner.organization_id = endpoint.organization_id and owner.id = endpoint.account_id
    where ${visibleTo(actor)} and ${matching}
    order by endpoint.created_at desc, endpoint.id desc
    limit ${sql.lit(mostListed)}`.execute(db)
  return rows.map((row) => present(row, { actor, now }))
}

function present(row: Row, { actor, now }: { actor: UserActor; now: Date }): WebhookEndpoint {
  const later = (time: Date | null) => (time !== null && time > now ? textOf(time) : null)
  return {
    id: row.id,
    environment: WebhookEndpoint.shape.environment.parse(row.environment),
    url: row.url,
    description: row.description,
    types: readTypes(row),
    ordered: row.is_ordered,
    signature: WebhookSignature.parse(row.signature),
    publicKey: row.public_key,
    previousSecretUntil: later(row.previous_until),
    enabled: row.disabled_at === null,
    disabledReason: row.disabled_reason === null ? null : DisabledReason.parse(row.disabled_reason),
    disabledAt: textOf(row.disabled_at),
    failingSince: textOf(row.failing_since),
    lastDeliveredAt: textOf(row.last_delivered_at),
    lastFailedAt: textOf(row.last_failed_at),
    heldUntil: later(row.held_until),
    createdBy: { _id: row.account_id, name: row.owner_name },
    isOwn: row.account_id === actor.accountId,
    createdAt: row.created_at.toISOString(),
  }
}

/** Types of a newer version are left out. */
export function readTypes({ types }: Pick<EndpointRow, 'types'>): WebhookEventType[] {
  return types.flatMap((type) => WebhookEventType.safeParse(type).data ?? [])
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

export type EndpointKey = { organizationId: string; endpointId: string }

/** The key of an endpoint that the caller sees. */
export async function findEndpointKey(db: Db, actor: UserActor, id: string): Promise<EndpointKey> {
  const { organization_id: organizationId } = await lockEndpoint(db, { actor, id, lock: sql`` })
  return { organizationId, endpointId: id }
}

type Lock = { actor: UserActor; id: string; lock?: RawBuilder<unknown> }

/** An endpoint that the caller sees, locked until the end of the transaction. */
export async function lockEndpoint(
  db: Db,
  { actor, id, lock = sql`for no key update of endpoint` }: Lock,
): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`
    select endpoint.* from webhook_endpoints endpoint
    join accounts owner on owner.organization_id = endpoint.organization_id and owner.id = endpoint.account_id
    where endpoint.id = ${id}::uuid and ${visibleTo(actor)} ${lock}`.execute(db)
  const [endpoint] = rows
  if (!endpoint) throw notFound('Webhook endpoint')
  return endpoint
}

/** Changes are for owners: the events are those that they may see. */
export async function lockOwnEndpoint(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(db, { actor, id })
  if (endpoint.account_id !== actor.accountId)
    throw new Problem('forbidden', 'Only its owner can change a webhook endpoint. You can delete it')
  return endpoint
}
