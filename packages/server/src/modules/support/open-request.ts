import type { Input } from '@carillon/contract/endpoint'
import type { supportEndpoints } from '@carillon/contract/support'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { RequestRow } from './find-request.ts'
import { addMessage, markRead } from './messages.ts'
import { notifyAnswerer, whoSpeaks } from './notify.ts'

type NewRequest = Input<(typeof supportEndpoints)['support.open']>['body']

/** Opens a request and assigns it to the account above. */
export async function openRequest(
  db: Db,
  { actor, wanted }: { actor: UserActor; wanted: NewRequest },
): Promise<RequestRow> {
  const answerer = await findNextAnswerer(db, actor.scope.path)
  if (!answerer) throw new Problem('conflict', 'There is no account above this one to answer requests')
  if (wanted.campaignId) await assertCampaignInScope(db, actor, wanted.campaignId)
  const { rows } = await sql<{ number: number }>`
    select next_support_number(${actor.organizationId}::uuid) as number`.execute(db)
  const request = await db
    .insertInto('support_requests')
    .values({
      organization_id: actor.organizationId,
      id: newId(),
      number: rows[0]?.number ?? 1,
      kind: wanted.kind,
      subject: wanted.subject,
      category: wanted.category,
      priority: wanted.priority,
      account_id: actor.accountId,
      path: actor.scope.path,
      answerer_id: answerer,
      put_to: [answerer],
      campaign_id: wanted.campaignId ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const author = await whoSpeaks(db, actor)
  await addMessage(db, request, { body: wanted.body, direction: 'customer', author })
  await markRead(db, request, actor)
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'support.opened',
    object: { type: 'support_request', id: request.id },
    details: { kind: wanted.kind, category: wanted.category, priority: wanted.priority },
  })
  await notifyAnswerer(db, request, {
    title: wanted.kind === 'feedback' ? 'New feedback' : 'New support request',
    author,
  })
  return request
}

export async function findNextAnswerer(db: Db, path: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select next_answerer(${path}::ltree) as id`.execute(db)
  return rows[0]?.id ?? undefined
}

async function assertCampaignInScope(db: Db, { scope }: UserActor, id: string): Promise<void> {
  const campaign = await db
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', id)
    .where(within(scope))
    .executeTakeFirst()
  if (!campaign) throw notFound('Campaign')
}
