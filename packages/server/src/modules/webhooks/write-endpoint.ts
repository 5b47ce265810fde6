import type { Input } from '@carillon/contract/endpoint'
import { maximumWebhookEndpoints } from '@carillon/contract/webhook-records'
import type { webhookEndpoints } from '@carillon/contract/webhooks'
import { sql, type Updateable } from 'kysely'
import type { UserActor } from '../../actor.ts'
import type { Db } from '../../db/pool.ts'
import type { WebhookEndpoints } from '../../db/schema.ts'
import { EgressError, type Egress } from '../../egress/egress.ts'
import { subscribe } from '../../events/event-queue.ts'
import { addJob } from '../../jobs/jobs.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict } from '../../lib/problem.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import { lockEndpoint, lockOwnEndpoint, readTypes, type EndpointRow } from './find-endpoints.ts'
import { forgetDeliveries } from './forget-deliveries.ts'
import { publishedTypesOf } from './published-types.ts'
import { newSecret, openSecrets, sealSecrets } from './secrets.ts'

type Calls = typeof webhookEndpoints
type Creation = Input<Calls['webhookEndpoints.create']>['body']
type Change = Input<Calls['webhookEndpoints.update']>['body']
type Rotation = Input<Calls['webhookEndpoints.rotateSecret']>['body']

/** The secret is shown once; null for a scheme with a public key. */
type Shown = { id: string; secret: string | null }

/** Throws if the URL may not be requested. Requests check again, because a name may change its addresses. */
export async function assertUsableUrl(egress: Egress, url: string): Promise<void> {
  try {
    await egress.checkUrl(url)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw badField('url', error.code === 'EGRESS_REFUSED' ? error.message : 'The host name cannot be resolved')
  }
}

export async function createEndpoint(
  db: Db,
  { actor, wanted, secretBox }: { actor: UserActor; wanted: Creation; secretBox: SecretBox },
): Promise<Shown> {
  const { environment, url, description, types, ordered, signature } = wanted
  await assertRoom(db, actor)
  const { organizationId, accountId } = actor
  const id = newId()
  const { secret, publicKey } = newSecret(signature)
  await db
    .insertInto('webhook_endpoints')
    .values({
      organization_id: organizationId,
      id,
      account_id: accountId,
      environment,
      url,
      description,
      types,
      is_ordered: ordered,
      signature,
      secrets: sealSecrets(secretBox, { organizationId, id }, { current: secret }),
      public_key: publicKey,
    })
    .execute()
  await db.insertInto('webhook_lanes').values({ organization_id: organizationId, endpoint_id: id }).execute()
  await subscribe(db, { organizationId, subscriber: 'webhooks', target: id, types: publishedTypesOf(types) })
  await note(db, { actor, endpoint: { organization_id: organizationId, id, url }, action: 'created' })
  return { id, secret: publicKey === null ? secret : null }
}

/** Serialises creations, so that the number can be checked. */
async function assertRoom(db: Db, { organizationId, accountId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook endpoints ${accountId}`}, 0))`.execute(db)
  const { count } = await db
    .selectFrom('webhook_endpoints')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .where('url', 'is not', null)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maximumWebhookEndpoints)
    throw conflict(`An account has at most ${maximumWebhookEndpoints} webhook endpoints. Delete one you no longer need`)
}

export async function updateEndpoint(
  db: Db,
  { actor, id, change, now }: { actor: UserActor; id: string; change: Change; now: Date },
): Promise<void> {
  const endpoint = await lockOwnEndpoint(db, { actor, id })
  const { url = endpoint.url, description = endpoint.description, ordered = endpoint.is_ordered } = change
  const types = change.types ?? readTypes(endpoint)
  const { organization_id: organizationId } = endpoint
  await setEndpoint(db, endpoint, {
    url,
    description,
    types,
    is_ordered: ordered,
    ...(change.enabled === undefined ? {} : enabling(endpoint, change.enabled, now)),
  })
  // What it answered before says nothing about another URL, nor after a repair.
  if (change.enabled || url !== endpoint.url) await resetLane(db, endpoint)
  if (change.types) {
    const subscription = { organizationId, subscriber: 'webhooks', target: id, types: publishedTypesOf(types) } as const
    await subscribe(db, subscription)
  }
  await note(db, { actor, endpoint: { ...endpoint, url }, action: actionOf(endpoint, change) })
}

function enabling({ disabled_at }: EndpointRow, enabled: boolean, now: Date): Updateable<WebhookEndpoints> {
  if (enabled) return { disabled_at: null, disabled_reason: null }
  return disabled_at === null ? { disabled_at: now, disabled_reason: 'owner' } : {}
}

function actionOf({ disabled_at }: EndpointRow, { enabled }: Change): string {
  if (enabled === undefined || enabled === (disabled_at === null)) return 'updated'
  return enabled ? 'enabled' : 'disabled'
}

async function resetLane(db: Db, { organization_id, id }: EndpointRow): Promise<void> {
  await db
    .updateTable('webhook_lanes')
    .set({ held_until: null, trips: 0, failing_since: null })
    .where('organization_id', '=', organization_id)
    .where('endpoint_id', '=', id)
    .execute()
}

/** The previous secret signs as well for some hours; the one before it ends at once. */
export async function rotateSecret(
  db: Db,
  {
    actor,
    id,
    rotation,
    secretBox,
    now,
  }: { actor: UserActor; id: string; rotation: Rotation; secretBox: SecretBox; now: Date },
): Promise<Shown> {
  const endpoint = await lockOwnEndpoint(db, { actor, id })
  const place = { organizationId: endpoint.organization_id, id }
  const signature = rotation.signature ?? (endpoint.public_key === null ? 'v1' : 'v1a')
  const { secret, publicKey } = newSecret(signature)
  const { overlapHours } = rotation
  const previous = overlapHours > 0 ? findSecret(secretBox, endpoint) : undefined
  await setEndpoint(db, endpoint, {
    signature,
    secrets: sealSecrets(secretBox, place, { current: secret, previous }),
    public_key: publicKey,
    previous_until: previous === undefined ? null : new Date(now.getTime() + overlapHours * 3_600_000),
  })
  await note(db, { actor, endpoint, action: 'secret_rotated', details: { overlapHours } })
  return { id, secret: publicKey === null ? secret : null }
}

/** Undefined if the key of the installation was lost, which a new secret repairs. */
function findSecret(
  secretBox: SecretBox,
  { organization_id: organizationId, id, secrets }: EndpointRow,
): string | undefined {
  try {
    return openSecrets(secretBox, { organizationId, id }, secrets).current
  } catch {
    return undefined
  }
}

/** An endpoint of the caller or of an account below. Its deliveries are deleted in the background. */
export async function deleteEndpoint(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const endpoint = await lockEndpoint(db, { actor, id })
  const { organization_id: organizationId } = endpoint
  await subscribe(db, { organizationId, subscriber: 'webhooks', target: id, types: [] })
  await db.deleteFrom('webhook_endpoints').where('organization_id', '=', organizationId).where('id', '=', id).execute()
  await addJob(db, forgetDeliveries, { payload: { organizationId, endpointId: id } })
  await note(db, { actor, endpoint, action: 'deleted' })
  if (endpoint.account_id !== actor.accountId) await notifyOwner(db, actor, endpoint)
}

async function notifyOwner(db: Db, { username }: UserActor, endpoint: EndpointRow): Promise<void> {
  await notify(db, [
    {
      organizationId: endpoint.organization_id,
      accountId: endpoint.account_id,
      kind: 'account_security',
      title: 'Your webhook endpoint was deleted',
      description: `${username} deleted the endpoint on ${new URL(endpoint.url).host}. It gets no more events.`,
      eventKey: `webhook_deleted:${endpoint.id}`,
    },
  ])
}

async function setEndpoint(
  db: Db,
  { organization_id, id }: EndpointRow,
  set: Updateable<WebhookEndpoints>,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ ...set, updated_at: sql`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

type Note = {
  actor: UserActor
  endpoint: Pick<EndpointRow, 'organization_id' | 'id' | 'url'>
  action: string
  details?: Record<string, number>
}

/** Only the host of the URL is recorded: the rest may contain a secret. */
async function note(db: Db, { actor, endpoint, action, details }: Note): Promise<void> {
  await recordAudit(db, {
    organizationId: endpoint.organization_id,
    ...whoActs(actor),
    action: `webhook_endpoint.${action}`,
    object: { type: 'webhook_endpoint', id: endpoint.id },
    details: { host: new URL(endpoint.url).host, ...details },
  })
}
