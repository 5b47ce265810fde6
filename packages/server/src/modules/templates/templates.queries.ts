import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { Templates } from '../../db/schema.ts'
import { matchesSearch } from './search-templates.ts'

/** A template of a sender. */
export type TemplateRow = Selectable<Templates> & { sender_name: string | null }

export type TemplateFilter = {
  senderId?: string | undefined
  category?: string | undefined
  status?: string | undefined
  /** Values of fields of the content. */
  content?: Record<string, string | undefined>
  /** Words in the name, or in one of these fields of the content. */
  search?: { words: string; contentFields: readonly string[] }
  page: number
  limit: number
}

/** Templates belong to the organisation; an admin or reseller also sees those of the organisations below. */
export function ofOrganizationsInScope(scope: Scope, column = 'organization_id'): RawBuilder<boolean> {
  return scope.descends ? sql<boolean>`app_descends_to(${sql.ref(column)})` : ofOrganization(scope, column)
}

type Within = { scope: Scope; channel: Channel }

export async function findTemplate(
  db: Db,
  { id, ...within }: Within & { id: string },
): Promise<TemplateRow | undefined> {
  return selectTemplates(db, within).where('templates.id', '=', id).executeTakeFirst()
}

export async function listTemplates(
  db: Db,
  { scope, channel, ...filter }: TemplateFilter & Within,
): Promise<{ rows: TemplateRow[]; total: number }> {
  const { senderId, category, status, content = {}, search } = filter
  let matching = selectTemplates(db, { scope, channel })
    .$if(senderId !== undefined, (query) => query.where('templates.sender_id', '=', senderId ?? ''))
    .$if(category !== undefined, (query) => query.where('templates.category', '=', category ?? ''))
    .$if(status !== undefined, (query) => query.where('templates.status', '=', status ?? ''))
    .$if(Boolean(search?.words), (query) =>
      query.where(matchesSearch(search?.words ?? '', search?.contentFields ?? [])),
    )
  for (const [field, value] of Object.entries(content))
    if (value !== undefined) matching = matching.where(sql<boolean>`templates.content ->> ${field}::text = ${value}`)
  const rows = await matching
    .orderBy('templates.updated_at', 'desc')
    .orderBy('templates.id', 'desc')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

function selectTemplates(db: Db, { scope, channel }: Within) {
  return db
    .selectFrom('templates')
    .leftJoin('senders', (join) =>
      join
        .onRef('senders.organization_id', '=', 'templates.organization_id')
        .onRef('senders.id', '=', 'templates.sender_id'),
    )
    .selectAll('templates')
    .select('senders.name as sender_name')
    .where(ofOrganizationsInScope(scope, 'templates.organization_id'))
    .where('templates.channel', '=', channel)
    .where('templates.deleted_at', 'is', null)
}
