import { Channel } from '@carillon/contract/channels'
import type { Rendition, TemplateFamily } from '@carillon/contract/template-families'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, within, type Scope } from '../../db/scope.ts'
import type { TemplateFamilies } from '../../db/schema.ts'
import { notFound } from '../../lib/problem.ts'
import { explainUnsendable } from './explain-unsendable.ts'

type FamilyFilter = {
  search?: string | undefined
  ready?: boolean | undefined
  /** Only families with one of these templates. */
  templateIds?: readonly string[] | undefined
  page: number
  limit: number
}

/** One page, last changed first. */
export async function listFamilies(
  db: Db,
  { scope, search, ready, templateIds, page, limit }: FamilyFilter & { scope: Scope },
): Promise<{ families: TemplateFamily[]; total: number }> {
  const matching = selectFamilies(db, scope)
    .$if(Boolean(search), (query) => query.where(nameContains(search ?? '')))
    .$if(ready !== undefined, (query) => query.where(sql<boolean>`${isReady} = ${ready ?? false}`))
    .$if(templateIds !== undefined, (query) => query.where(hasTemplates(templateIds ?? [])))
  const rows = await matching
    .orderBy('family.updated_at', 'desc')
    .orderBy('family.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { families: await presentFamilies(db, { scope, rows }), total }
}

export async function getFamily(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<TemplateFamily> {
  const rows = await selectFamilies(db, scope).where('family.id', '=', id).execute()
  const [family] = await presentFamilies(db, { scope, rows })
  if (!family) throw notFound('Template family')
  return family
}

function selectFamilies(db: Db, scope: Scope) {
  return db
    .selectFrom('template_families as family')
    .selectAll('family')
    .where(ofOrganization(scope, 'family.organization_id'))
}

function nameContains(words: string): RawBuilder<boolean> {
  return sql<boolean>`family.name ilike ${`%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}

function hasTemplates(ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select from family_renditions rendition
    where rendition.organization_id = family.organization_id and rendition.family_id = family.id
      and rendition.template_id = any(${ids}::uuid[]))`
}

/** On every channel, only approved templates can be sent; those of a disconnected account cannot. */
const isSendable = sql<boolean>`(lower(template.status) = 'approved' and template.deleted_at is null
  and not coalesce(account.setup ? 'disconnectedAt', false))`

const renditions = sql`family_renditions rendition
  join templates template
    on template.organization_id = rendition.organization_id and template.id = rendition.template_id
  left join provider_accounts account
    on account.organization_id = template.organization_id and account.id = template.provider_account_id`

const isReady = sql<boolean>`(select coalesce(bool_and(${isSendable}), false) from ${renditions}
  where rendition.organization_id = family.organization_id and rendition.family_id = family.id)`

type RenditionRow = {
  family_id: string
  channel: Channel
  template_id: string
  follows_text: boolean
  name: string
  status: string
  category: string
  content: unknown
  reason: string | null
  is_sendable: boolean
  is_disconnected: boolean
}

type Presenting = { scope: Scope; rows: readonly Selectable<TemplateFamilies>[] }

async function presentFamilies(db: Db, { scope, rows }: Presenting): Promise<TemplateFamily[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await listRenditions(db, scope, ids)
  const uses = await countCampaigns(db, scope, ids)
  return rows.map((row) => {
    const own = found.filter(({ family_id }) => family_id === row.id).toSorted(byChannel)
    return {
      _id: row.id,
      name: row.name,
      text: row.text,
      renditions: own.map(presentRendition),
      isReady: own.length > 0 && own.every(({ is_sendable }) => is_sendable),
      usedIn: uses.get(row.id) ?? 0,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }
  })
}

async function listRenditions(db: Db, scope: Scope, familyIds: readonly string[]): Promise<RenditionRow[]> {
  const { rows } = await sql<RenditionRow>`
    select rendition.family_id, rendition.channel, rendition.template_id, rendition.follows_text,
      template.name, template.status, template.category, template.content, template.facts ->> 'reason' as reason,
      ${isSendable} as is_sendable, coalesce(account.setup ? 'disconnectedAt', false) as is_disconnected
    from ${renditions}
    where ${ofOrganization(scope, 'rendition.organization_id')} and rendition.family_id = any(${familyIds}::uuid[])
  `.execute(db)
  return rows
}

function byChannel(a: RenditionRow, b: RenditionRow): number {
  return Channel.options.indexOf(a.channel) - Channel.options.indexOf(b.channel)
}

function presentRendition(row: RenditionRow): Rendition {
  const { summarize } = getChannel(row.channel)
  if (!summarize) throw new Error(`Templates for ${row.channel} are not summarized`)
  return {
    channel: row.channel,
    templateId: row.template_id,
    followsText: row.follows_text,
    name: row.name,
    status: row.status,
    isSendable: row.is_sendable,
    ...(row.is_sendable ? {} : { reason: explainUnsendable(row) }),
    traits: summarize(row),
  }
}

/** The campaigns in scope with one of a family's templates, whatever their status. */
async function countCampaigns(db: Db, scope: Scope, familyIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ family_id: string; count: number }>`
    select rendition.family_id, count(distinct campaign.id)::int as count
    from campaigns campaign
    cross join lateral jsonb_array_elements(campaign.draft -> 'legs') leg
    join family_renditions rendition
      on rendition.organization_id = campaign.organization_id
      and rendition.template_id::text = leg ->> 'templateId'
    where ${ofOrganization(scope, 'campaign.organization_id')} and ${within(scope, 'campaign.path')}
      and rendition.family_id = any(${familyIds}::uuid[])
    group by rendition.family_id
  `.execute(db)
  return new Map(rows.map(({ family_id, count }) => [family_id, count]))
}
