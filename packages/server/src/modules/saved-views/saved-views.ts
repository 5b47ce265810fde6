import type { Input } from '@carillon/contract/endpoint'
import { maximumSavedViews, SavedView, type savedViewEndpoints } from '@carillon/contract/saved-views'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { SavedViews } from '../../db/schema.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'

type Row = Selectable<SavedViews>
type Creation = Input<(typeof savedViewEndpoints)['savedViews.create']>['body']
type Change = Input<(typeof savedViewEndpoints)['savedViews.change']>['body']

export async function listViews(db: Db, actor: UserActor, list: string): Promise<SavedView[]> {
  const rows = await own(db, actor)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .execute()
  return rows.map(present)
}

export async function createView(db: Db, actor: UserActor, creation: Creation): Promise<SavedView> {
  const { list, name, query, columns, isDefault } = creation
  await lockList(db, actor, list)
  const others = await own(db, actor).where('list', '=', list).execute()
  if (others.length >= maximumSavedViews)
    throw conflict(`A list has at most ${maximumSavedViews} views. Delete one you no longer need.`)
  await assertNameFree(db, actor, { list, name })
  if (isDefault) await clearDefault(db, actor, list)
  const row = await db
    .insertInto('saved_views')
    .values({
      organization_id: actor.organizationId,
      id: newId(),
      account_id: actor.accountId,
      list,
      name,
      query,
      columns: JSON.stringify(columns),
      is_default: isDefault,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return present(row)
}

export async function changeView(
  db: Db,
  actor: UserActor,
  { id, ...change }: Change & { id: string },
): Promise<SavedView> {
  const view = await getView(db, actor, id)
  await lockList(db, actor, view.list)
  const { name, query, columns, isDefault } = change
  if (name !== undefined) await assertNameFree(db, actor, { list: view.list, name, except: id })
  if (isDefault) await clearDefault(db, actor, view.list)
  const row = await db
    .updateTable('saved_views')
    .set({
      name: name ?? view.name,
      query: query ?? view.query,
      columns: JSON.stringify(columns ?? view.columns),
      is_default: isDefault ?? view.is_default,
    })
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return present(row)
}

export async function removeView(db: Db, actor: UserActor, id: string): Promise<void> {
  const { organization_id } = await getView(db, actor, id)
  await db.deleteFrom('saved_views').where('organization_id', '=', organization_id).where('id', '=', id).execute()
}

/** Views are private to one account. */
function own(db: Db, { organizationId, accountId }: UserActor) {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
}

async function getView(db: Db, actor: UserActor, id: string): Promise<Row> {
  const view = await own(db, actor).where('id', '=', id).executeTakeFirst()
  if (!view) throw notFound('View')
  return view
}

/** Serialises changes of a list's views, so that names stay unique and there is one default. */
async function lockList(db: Db, { accountId }: UserActor, list: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved views ${accountId} ${list}`}, 0))`.execute(db)
}

async function assertNameFree(
  db: Db,
  actor: UserActor,
  { list, name, except }: { list: string; name: string; except?: string },
): Promise<void> {
  const same = own(db, actor)
    .where('list', '=', list)
    .where(sql<boolean>`lower(name) = lower(${name})`)
  const taken = await (except === undefined ? same : same.where('id', '<>', except)).executeTakeFirst()
  if (taken) throw badField('name', 'Another view of this list has this name')
}

async function clearDefault(db: Db, actor: UserActor, list: string): Promise<void> {
  await db
    .updateTable('saved_views')
    .set({ is_default: false })
    .where('organization_id', '=', actor.organizationId)
    .where('account_id', '=', actor.accountId)
    .where('list', '=', list)
    .where('is_default', '=', true)
    .execute()
}

function present({ id, name, query, columns, is_default }: Row): SavedView {
  return { _id: id, name, query, columns: SavedView.shape.columns.parse(columns), isDefault: is_default }
}
