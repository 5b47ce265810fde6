import type { SmsCategory, SmsTemplateStatus } from '@carillon/contract/channels/sms/sms-templates'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { Templates } from '../../db/schema.ts'

export type TemplateRow = Selectable<Templates> & { account_name: string | null; account_entity_id: string | null }

export type TemplateFilter = {
  smsAccountId?: string | undefined
  search?: string | undefined
  category?: SmsCategory | undefined
  encoding?: 'gsm7' | 'ucs2' | undefined
  status?: SmsTemplateStatus | undefined
  page: number
  limit: number
}

/** Templates belong to the organisation; an admin or reseller also sees those of the organisations below. */
export function ofOrganizationsInScope(scope: Scope, column = 'organization_id'): RawBuilder<boolean> {
  return scope.descends ? sql<boolean>`app_descends_to(${sql.ref(column)})` : ofOrganization(scope, column)
}

export async function findTemplate(
  db: Db,
  { id, scope }: { id: string; scope: Scope },
): Promise<TemplateRow | undefined> {
  return selectTemplates(db, scope).where('templates.id', '=', id).executeTakeFirst()
}

export async function listTemplates(
  db: Db,
  { scope, ...filter }: TemplateFilter & { scope: Scope },
): Promise<{ rows: TemplateRow[]; total: number }> {
  const matching = selectTemplates(db, scope)
    .$if(filter.smsAccountId !== undefined, (query) =>
      query.where('templates.sender_id', '=', filter.smsAccountId ?? ''),
    )
    .$if(filter.category !== undefined, (query) => query.where('templates.category', '=', filter.category ?? ''))
    .$if(filter.status !== undefined, (query) => query.where('templates.status', '=', filter.status ?? ''))
    .$if(filter.encoding !== undefined, (query) =>
      query.where(sql<boolean>`templates.content ->> 'encoding' = ${filter.encoding}`),
    )
    .$if(Boolean(filter.search), (query) => query.where(matchesSearch(filter.search ?? '')))
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

function selectTemplates(db: Db, scope: Scope) {
  return db
    .selectFrom('templates')
    .leftJoin('senders', (join) =>
      join
        .onRef('senders.organization_id', '=', 'templates.organization_id')
        .onRef('senders.id', '=', 'templates.sender_id'),
    )
    .selectAll('templates')
    .select(['senders.name as account_name', 'senders.entity_id as account_entity_id'])
    .where(ofOrganizationsInScope(scope, 'templates.organization_id'))
    .where('templates.channel', '=', 'sms')
    .where('templates.deleted_at', 'is', null)
}

/** In the name, the text or the registry's id; what a person types is never a pattern. */
function matchesSearch(words: string): RawBuilder<boolean> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`(templates.name ilike ${pattern} or templates.content ->> 'body' ilike ${pattern} or templates.content ->> 'dltTemplateId' ilike ${pattern})`
}
