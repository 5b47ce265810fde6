import type { Channel } from '@carillon/contract/channels'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { z } from 'zod'
import { reviewStatuses } from '@carillon/contract/review-statuses'
import type { ReviewStatus } from '../../channels/management.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { Templates } from '../../db/schema.ts'
import type { AccountKey } from '../senders/index.ts'
import { matchesSearch } from './search-templates.ts'

/** The state of a template's review, as `templates.facts` stores it. The channel stores more beside it. */
const ReviewState = z.looseObject({
  quality: z.enum(['green', 'yellow', 'red', 'unknown']).default('unknown'),
  /** As text. */
  reason: z.string().optional(),
  pausedCount: z.number().default(0),
  previousCategory: z.string().optional(),
  /** When the provider reported the status; older reports are ignored. */
  statusAt: z.string().optional(),
})
export type ReviewState = z.infer<typeof ReviewState>

const ReviewStatusName = z.enum(reviewStatuses)

/** Who may send a template: a provider account, or with `id` null every sender of the channel. */
export type TemplateOwner = { organization_id: string; channel: Channel; id: string | null }

/** A template of an account, or of any account of its channel; most are reviewed by the provider. */
export type ReviewedRow = Omit<Selectable<Templates>, 'facts' | 'status' | 'provider_account_id'> & {
  /** Empty for any account of the channel. */
  provider_account_id: string
  /** The provider's id of the account, its name, and the provider. */
  account_external_id: string
  account_name: string | null
  account_provider: string | null
  pending_campaigns: number
  facts: ReviewState
  status: ReviewStatus
}

export type ReviewedFilter = {
  channel: Channel
  accountExternalId?: string | undefined
  /** Our ids of accounts; null: templates of any account. */
  accountIds?: readonly (string | null)[] | undefined
  /** Several are separated by commas. */
  status?: string | undefined
  category?: string | undefined
  language?: string | undefined
  quality?: string | undefined
  /** Values of fields of the content. */
  content?: Record<string, string | undefined>
  /** Words in the name, or in one of these fields of the content. */
  search?: { words: string; contentFields: readonly string[] }
}

/** A position in the list, between two templates. */
export type Place = { name: string; id: string }
export type PageOf = { limit: number; before?: Place | undefined; after?: Place | undefined }

export type FoundPage = { rows: ReviewedRow[]; total: number; hasBefore: boolean; hasAfter: boolean }

/** One page by name, languages of a name together. Deleted templates are listed only if the filter names their status. */
export async function listReviewedTemplates(
  db: Db,
  { scope, filter, page }: { scope: Scope; filter: ReviewedFilter; page: PageOf },
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

/** One page by time of the last change, the latest first. */
export async function listLatestTemplates(
  db: Db,
  { scope, filter, page, limit }: { scope: Scope; filter: ReviewedFilter; page: number; limit: number },
): Promise<{ rows: ReviewedRow[]; total: number }> {
  const matching = matchingTemplates(db, scope, filter)
  const rows = await matching
    .orderBy('templates.updated_at', 'desc')
    .orderBy('templates.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await matching
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(readTemplate), total }
}

function beyond({ name, id }: Place, isBackwards: boolean): RawBuilder<boolean> {
  const place = sql`(${name}::text collate "C", ${id}::uuid)`
  return isBackwards
    ? sql<boolean>`(templates.name collate "C", templates.id) < ${place}`
    : sql<boolean>`(templates.name collate "C", templates.id) > ${place}`
}

function matchingTemplates(db: Db, scope: Scope, filter: ReviewedFilter) {
  const { channel, accountExternalId, accountIds, category, language, quality, search, content = {} } = filter
  const statuses = (filter.status ?? '')
    .split(',')
    .map((status) => status.trim().toUpperCase())
    .filter(Boolean)
  const fields = Object.entries(content).filter((field): field is [string, string] => field[1] !== undefined)
  return ofConnectedAccounts(db)
    .where('templates.channel', '=', channel)
    .where(ofOrganization(scope, 'templates.organization_id'))
    .$if(accountIds !== undefined, (query) => query.where(isOfAccounts(accountIds ?? [])))
    .where(sql<boolean>`templates.content @> ${JSON.stringify(Object.fromEntries(fields))}::jsonb`)
    .$if(accountExternalId !== undefined, (query) => query.where('account.external_id', '=', accountExternalId ?? ''))
    .$if(category !== undefined, (query) => query.where('templates.category', '=', category ?? ''))
    .$if(language !== undefined, (query) => query.where('templates.language', '=', language ?? ''))
    .$if(quality !== undefined, (query) =>
      query.where(sql<boolean>`coalesce(templates.facts ->> 'quality', 'unknown') = ${quality}`),
    )
    .$if(statuses.length > 0, (query) => query.where('templates.status', 'in', statuses))
    .$if(statuses.length === 0, (query) => query.where('templates.status', '<>', 'DELETED'))
    .$if(Boolean(search?.words), (query) =>
      query.where(matchesSearch(search?.words ?? '', search?.contentFields ?? [])),
    )
}

function isOfAccounts(accountIds: readonly (string | null)[]): RawBuilder<boolean> {
  const ids = accountIds.filter((id) => id !== null)
  const isAnys = accountIds.includes(null)
  return sql<boolean>`(templates.provider_account_id = any(${ids}::uuid[])
    or (${isAnys}::boolean and templates.provider_account_id is null))`
}

/** Of the template in all its languages. */
const countPendingCampaigns = sql<number>`(select count(*)::int from campaigns campaign
  where campaign.organization_id = templates.organization_id
    and campaign.status in ('scheduled', 'queued', 'running', 'paused')
    and exists (select from campaign_legs leg
      join templates named on named.organization_id = leg.organization_id and named.id = leg.template_id
      where leg.organization_id = campaign.organization_id and leg.campaign_id = campaign.id
        and named.provider_account_id is not distinct from templates.provider_account_id
        and named.channel = templates.channel and named.name = templates.name))`

function ofConnectedAccounts(db: Db) {
  return db
    .selectFrom('templates')
    .leftJoin('provider_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'templates.organization_id')
        .onRef('account.id', '=', 'templates.provider_account_id'),
    )
    .selectAll('templates')
    .select(['account.external_id as account_external_id', 'account.name as account_name'])
    .select('account.provider as account_provider')
    .select(countPendingCampaigns.as('pending_campaigns'))
    .where('templates.deleted_at', 'is', null)
    .where(sql<boolean>`not coalesce(account.setup ? 'disconnectedAt', false)`)
}

export async function findReviewedTemplate(
  db: Db,
  { id, channel, scope }: { id: string; channel: Channel; scope: Scope },
): Promise<ReviewedRow | undefined> {
  const row = await ofConnectedAccounts(db)
    .where('templates.channel', '=', channel)
    .where(ofOrganization(scope, 'templates.organization_id'))
    .where('templates.id', '=', id)
    .executeTakeFirst()
  return row && readTemplate(row)
}

/** All templates of an account, locked to apply the provider's reports. */
export async function listOfAccount(
  db: Db,
  { organizationId, accountId }: AccountKey,
  which: { name?: string } = {},
): Promise<ReviewedRow[]> {
  const ofAccount = ofConnectedAccounts(db)
    .where('templates.organization_id', '=', organizationId)
    .where('templates.provider_account_id', '=', accountId)
  return lockTemplates(ofAccount, which)
}

/** All templates of an owner, locked. */
export async function listOfOwner(
  db: Db,
  { organization_id, channel, id }: TemplateOwner,
  which: { name?: string } = {},
): Promise<ReviewedRow[]> {
  const ofOwner = ofConnectedAccounts(db)
    .where('templates.organization_id', '=', organization_id)
    .where('templates.channel', '=', channel)
    .where('templates.provider_account_id', id === null ? 'is' : '=', id)
  return lockTemplates(ofOwner, which)
}

async function lockTemplates(
  query: ReturnType<typeof ofConnectedAccounts>,
  { name }: { name?: string },
): Promise<ReviewedRow[]> {
  const rows = await query
    .$if(name !== undefined, (named) => named.where('templates.name', '=', name ?? ''))
    .orderBy('templates.id')
    .forUpdate('templates')
    .execute()
  return rows.map(readTemplate)
}

function readTemplate(
  row: Selectable<Templates> &
    Pick<ReviewedRow, 'account_name' | 'account_provider' | 'pending_campaigns'> & {
      account_external_id: string | null
    },
): ReviewedRow {
  return {
    ...row,
    account_external_id: row.account_external_id ?? '',
    provider_account_id: row.provider_account_id ?? '',
    facts: ReviewState.parse(row.facts),
    status: ReviewStatusName.safeParse(row.status).data ?? 'PENDING',
  }
}
