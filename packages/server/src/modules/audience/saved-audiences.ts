import { channelsWith } from '../../channels/index.ts'
import type { audienceEndpoints } from '@carillon/contract/audience'
import { Channel } from '@carillon/contract/channels'
import type { Answer, Input } from '@carillon/contract/endpoint'
import { paginate } from '@carillon/contract/paging'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { within, type Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { findAudience, type AudienceRow } from './audiences.queries.ts'

type List = (typeof audienceEndpoints)['savedAudiences.list']

type Row = {
  id: string
  saved_name: string
  channel: string
  file_name: string
  accepted: number
  columns: string[]
  created_at: Date
  used_by: number
}

/** Audiences of these channels hold no landlines, so that every channel can use them. */
const strictest = channelsWith(({ reachesLandlines }) => !reachesLandlines)

export async function listSavedAudiences(
  db: Db,
  { scope, query }: { scope: Scope; query: Input<List>['query'] },
): Promise<Answer<List>> {
  const search = query.search ? `%${query.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
  const matching = sql`
    from audiences audience
    where audience.organization_id = ${scope.organizationId}::uuid and ${within(scope, 'audience.path')}
      and audience.saved_name is not null and audience.status = 'ready'
      and (${search}::text is null or audience.saved_name ilike ${search} or audience.file_name ilike ${search})
      and (${query.channel ?? null}::text is null or audience.channel::text = any(${strictest}) or audience.channel::text = ${query.channel ?? null})`
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total ${matching}`.execute(db)
  const { rows } = await sql<Row>`
    select audience.id, audience.saved_name, audience.channel::text as channel, audience.file_name, audience.accepted, audience.columns,
      audience.created_at,
      (select count(*)::int from campaigns campaign where campaign.organization_id = audience.organization_id
        and campaign.audience_id = audience.id and campaign.status not in ('draft', 'discarded')) as used_by
    ${matching}
    order by audience.saved_at desc, audience.id
    limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(db)
  const total = counted[0]?.total ?? 0
  return {
    audiences: rows.map((row) => ({
      _id: row.id,
      name: row.saved_name,
      channel: Channel.parse(row.channel),
      fileName: row.file_name,
      people: row.accepted,
      columns: row.columns,
      createdAt: row.created_at.toISOString(),
      usedBy: row.used_by,
    })),
    total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

/** Saves an audience under a name. Its columns cannot be mapped again. */
export async function saveAudience(
  db: Db,
  { actor, id, name }: { actor: UserActor; id: string; name: string },
): Promise<AudienceRow> {
  const audience = await getAudienceWithin(db, actor, id)
  if (audience.status !== 'ready') throw conflict('Wait until the rows are checked')
  const same = await db
    .selectFrom('audiences')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where(within(actor.scope))
    .where('id', '<>', id)
    .where(sql<boolean>`lower(saved_name) = lower(${name})`)
    .executeTakeFirst()
  if (same) throw badField('name', 'Another saved audience has this name')
  const saved = await db
    .updateTable('audiences')
    .set({ saved_name: name, saved_at: audience.saved_at ?? sql<Date>`now()` })
    .where('organization_id', '=', audience.organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await record(db, { actor, action: 'audience.saved', id, name })
  return saved
}

/** Removes it from the list of saved audiences. Campaigns keep their recipients. */
export async function removeSavedAudience(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const audience = await getAudienceWithin(db, actor, id)
  if (audience.saved_name === null) return
  await db
    .updateTable('audiences')
    .set({ saved_name: null, saved_at: null })
    .where('organization_id', '=', audience.organization_id)
    .where('id', '=', id)
    .execute()
  await record(db, { actor, action: 'audience.removed', id, name: audience.saved_name })
}

async function getAudienceWithin(db: Db, { scope }: UserActor, id: string): Promise<AudienceRow> {
  const audience = await findAudience(db, { id, scope })
  if (!audience) throw notFound('Audience')
  return audience
}

async function record(
  db: Db,
  { actor, action, id, name }: { actor: UserActor; action: string; id: string; name: string },
): Promise<void> {
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action,
    object: { type: 'audience', id },
    details: { name },
  })
}
