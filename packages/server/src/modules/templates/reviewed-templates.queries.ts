import {
  WhatsappCategory,
  WhatsappTemplateContent,
  WhatsappTemplateStatus,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { Templates } from '../../db/schema.ts'

/** What a provider said of a template, as `templates.facts` keeps it. */
export const ProviderTemplateState = z.object({
  parameterFormat: z.enum(['positional', 'named']).default('positional'),
  quality: z.enum(['green', 'yellow', 'red', 'unknown']).default('unknown'),
  /** In plain words. */
  reason: z.string().optional(),
  pausedCount: z.number().default(0),
  previousCategory: WhatsappCategory.optional(),
  /** When the provider said what its status is: what it said before that comes too late. */
  statusAt: z.string().optional(),
})
export type ProviderTemplateState = z.infer<typeof ProviderTemplateState>

export type WhatsappTemplateRow = Omit<
  Selectable<Templates>,
  'content' | 'facts' | 'status' | 'category' | 'provider_account_id'
> & {
  provider_account_id: string
  /** The account's own id at the provider. */
  waba_id: string
  pending_campaigns: number
  content: WhatsappTemplateContent
  facts: ProviderTemplateState
  status: WhatsappTemplateStatus
  category: WhatsappCategory
}

export type TemplateFilter = {
  waba_id?: string | undefined
  status?: string | undefined
  category?: WhatsappCategory | undefined
  language?: string | undefined
  quality?: string | undefined
  search?: string | undefined
}

/** A place in the list, between two templates. */
export type Place = { name: string; id: string }
export type PageOf = { limit: number; before?: Place | undefined; after?: Place | undefined }

export type FoundPage = { rows: WhatsappTemplateRow[]; total: number; hasBefore: boolean; hasAfter: boolean }

/** One page by name, languages of a name together; what was deleted is shown to who asks for it. */
export async function listWhatsappTemplates(
  db: Db,
  { scope, filter, page }: { scope: Scope; filter: TemplateFilter; page: PageOf },
): Promise<FoundPage> {
  const matching = matchingTemplates(db, scope, filter)
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const isBackwards = page.before !== undefined && page.after === undefined
  const place = page.after ?? page.before
  const direction = isBackwards ? 'desc' : 'asc'
  const found = await matching
    .$if(place !== undefined, (query) => query.where(beyond(place ?? { name: '', id: '' }, isBackwards)))
    .orderBy(sql`templates.name collate "C"`, direction)
    .orderBy('templates.id', direction)
    .limit(page.limit + 1)
    .execute()
  const hasMore = found.length > page.limit
  const rows = found.slice(0, page.limit).map(readTemplate)
  return isBackwards
    ? { rows: rows.toReversed(), total, hasBefore: hasMore, hasAfter: true }
    : { rows, total, hasBefore: place !== undefined, hasAfter: hasMore }
}

function beyond({ name, id }: Place, isBackwards: boolean): RawBuilder<boolean> {
  const place = sql`(${name}::text collate "C", ${id}::uuid)`
  return isBackwards
    ? sql<boolean>`(templates.name collate "C", templates.id) < ${place}`
    : sql<boolean>`(templates.name collate "C", templates.id) > ${place}`
}

function matchingTemplates(db: Db, scope: Scope, filter: TemplateFilter) {
  const { waba_id, category, language, quality, search = '' } = filter
  const statuses = (filter.status ?? '')
    .split(',')
    .map((status) => status.trim().toUpperCase())
    .filter(Boolean)
  return ofAccounts(db)
    .where(ofOrganization(scope, 'templates.organization_id'))
    .$if(waba_id !== undefined, (query) => query.where('account.external_id', '=', waba_id ?? ''))
    .$if(category !== undefined, (query) => query.where('templates.category', '=', category ?? ''))
    .$if(language !== undefined, (query) => query.where('templates.language', '=', language ?? ''))
    .$if(quality !== undefined, (query) =>
      query.where(sql<boolean>`coalesce(templates.facts ->> 'quality', 'unknown') = ${quality}`),
    )
    .$if(statuses.length > 0, (query) => query.where('templates.status', 'in', statuses))
    .$if(statuses.length === 0, (query) => query.where('templates.status', '<>', 'DELETED'))
    .$if(search !== '', (query) => query.where(matchesSearch(search)))
}

/** In the name or the words; what a person types is never a pattern. */
function matchesSearch(words: string): RawBuilder<boolean> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<boolean>`(templates.name ilike ${pattern} or templates.content ->> 'body' ilike ${pattern})`
}

/** Of the template in all its languages. */
const countPendingCampaigns = sql<number>`(select count(*)::int from campaigns campaign
  where campaign.organization_id = templates.organization_id
    and campaign.status in ('scheduled', 'queued', 'running', 'paused')
    and exists (select from campaign_legs leg
      join templates named on named.organization_id = leg.organization_id and named.id = leg.template_id
      where leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
        and named.provider_account_id = templates.provider_account_id and named.name = templates.name))`

/** Templates of accounts that are connected. */
function ofAccounts(db: Db) {
  return db
    .selectFrom('templates')
    .innerJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'templates.organization_id')
        .onRef('account.id', '=', 'templates.provider_account_id'),
    )
    .selectAll('templates')
    .select('account.external_id as waba_id')
    .select(countPendingCampaigns.as('pending_campaigns'))
    .where('templates.channel', '=', 'whatsapp')
    .where(sql<boolean>`not (account.setup ? 'disconnectedAt')`)
}

export async function findWhatsappTemplate(
  db: Db,
  { id, scope }: { id: string; scope: Scope },
): Promise<WhatsappTemplateRow | undefined> {
  const row = await ofAccounts(db)
    .where(ofOrganization(scope, 'templates.organization_id'))
    .where('templates.id', '=', id)
    .executeTakeFirst()
  return row && readTemplate(row)
}

type AccountKey = { organizationId: string; accountId: string }

/** All of one account, for what its provider says about them. */
export async function listOfAccount(
  db: Db,
  { organizationId, accountId }: AccountKey,
  which: { name?: string } = {},
): Promise<WhatsappTemplateRow[]> {
  const rows = await ofAccounts(db)
    .where('templates.organization_id', '=', organizationId)
    .where('templates.provider_account_id', '=', accountId)
    .$if(which.name !== undefined, (query) => query.where('templates.name', '=', which.name ?? ''))
    .orderBy('templates.id')
    .forUpdate('templates')
    .execute()
  return rows.map(readTemplate)
}

function readTemplate(
  row: Selectable<Templates> & { waba_id: string | null; pending_campaigns: number },
): WhatsappTemplateRow {
  const status = WhatsappTemplateStatus.safeParse(row.status)
  const category = WhatsappCategory.safeParse(row.category)
  return {
    ...row,
    waba_id: row.waba_id ?? '',
    provider_account_id: row.provider_account_id ?? '',
    content: WhatsappTemplateContent.parse(row.content),
    facts: ProviderTemplateState.parse(row.facts),
    status: status.data ?? 'PENDING',
    category: category.data ?? 'MARKETING',
  }
}

/** An approved template that needs no value, such as every new account has one: what a first message can be made of. */
export async function findPlainTemplate(
  db: Db,
  key: AccountKey,
): Promise<Pick<WhatsappTemplateRow, 'name' | 'language' | 'category' | 'content'> | undefined> {
  const rows = await listOfAccount(db, key)
  return rows.find(({ status, category, content }) => {
    const { header, body, buttons, cards } = content
    const isPlain = !header || (header.format === 'TEXT' && !header.text.includes('{{'))
    const hasPlainButtons = buttons.every(
      (button) =>
        button.type === 'QUICK_REPLY' ||
        button.type === 'PHONE_NUMBER' ||
        (button.type === 'URL' && !button.url.includes('{{')),
    )
    return (
      status === 'APPROVED' &&
      category !== 'AUTHENTICATION' &&
      cards.length === 0 &&
      isPlain &&
      hasPlainButtons &&
      !body.includes('{{')
    )
  })
}
