import { Readable } from 'node:stream'
import type { Answer } from '@carillon/contract/endpoint'
import { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import { OptOutScope, type OptOut, type optOutEndpoints, type OptOutSource } from '@carillon/contract/opt-outs'
import { paginate, type PageQuery } from '@carillon/contract/paging'
import { sql, type RawBuilder } from 'kysely'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { ofOrganization, type Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import type { FileAnswer } from '../../http/handlers.ts'
import { byteOrderMark, csvLine } from '../../lib/csv-write.ts'
import { createLocalTime } from '../../lib/local-time.ts'
import { notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

export type OptOutFilter = {
  scope?: OptOutScope | undefined
  source?: OptOutSource | undefined
  number?: string | undefined
}

type Page = Answer<(typeof optOutEndpoints)['optOuts.list']>

type Row = {
  channel: Channel
  phone: number
  keyword: string
  marketing_only: boolean
  source: OptOutSource
  at: Date
  campaign_id: string | null
  campaign_name: string | null
  added_by: string | null
}

type StoredScope = { scope: OptOutScope; channel: Channel; isMarketingOnly: boolean; label: string }

/** Every scope with how it is stored. */
const storedScopes: StoredScope[] = Channel.options.flatMap((channel) =>
  channelTraits[channel].optOutScopes.map((one) => ({ ...one, scope: OptOutScope.parse(one.scope), channel })),
)

export function storedScopeOf(scope: OptOutScope): StoredScope {
  const found = storedScopes.find((one) => one.scope === scope)
  if (!found) throw new Error(`No channel has the opt-out ${scope}`)
  return found
}

function scopeOf({ channel, marketing_only }: Pick<Row, 'channel' | 'marketing_only'>): OptOutScope {
  const own = storedScopes.filter((one) => one.channel === channel)
  const found = own.find(({ isMarketingOnly }) => isMarketingOnly === marketing_only) ?? own[0]
  if (!found) throw new Error(`${channel} has no opt-outs`)
  return found.scope
}

export async function listOptOuts(
  db: Db,
  { scope, query }: { scope: Scope; query: OptOutFilter & PageQuery },
): Promise<Page> {
  const where = matching(scope, query)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from opt_outs known where ${where}`.execute(db)
  const rows = await readRows(
    db,
    sql`where ${where} order by known.at desc, known.channel, known.phone
      limit ${query.limit} offset ${(query.page - 1) * query.limit}`,
  )
  const total = counted[0]?.total ?? 0
  return {
    optOuts: rows.map(presentOptOut),
    total,
    totalPages: paginate(query, total).totalPages,
    currentPage: query.page,
  }
}

function nameSource(source: OptOutSource, channel: Channel): string {
  const names: Record<OptOutSource, string> = {
    reply: 'Reply',
    app: `${channelTraits[channel].label} settings`,
    manual: 'Added manually',
    import: 'Imported',
  }
  return names[source]
}

const rowsPerPiece = 5000

/** Streams in key order; each piece is read in a short transaction of its own. */
export function downloadOptOuts(
  scoped: RunTransaction,
  { actor, query }: { actor: UserActor; query: OptOutFilter },
): FileAnswer {
  return {
    fileName: 'opt-outs.csv',
    contentType: 'text/csv; charset=utf-8',
    body: Readable.from(csvPieces(scoped, { actor, query }), { objectMode: false }),
  }
}

async function* csvPieces(
  scoped: RunTransaction,
  { actor, query }: { actor: UserActor; query: OptOutFilter },
): AsyncGenerator<string> {
  const localTime = createLocalTime(actor.timezone)
  yield (
    byteOrderMark + csvLine(['Number', 'Opted out of', `Since (${actor.timezone})`, 'How', 'Reply', 'Campaign', 'By'])
  )
  let last: Row | undefined
  do {
    const after: RawBuilder<boolean> = last
      ? sql`(known.channel, known.phone) > (${last.channel}::channel, ${last.phone}::bigint)`
      : sql`true`
    const rows = await scoped((db) =>
      readRows(
        db,
        sql`where ${matching(actor.scope, query)} and ${after} order by known.channel, known.phone limit ${rowsPerPiece}`,
      ),
    )
    yield rows
      .map(presentOptOut)
      .map(({ phoneNumber, scope, at, source, keyword, campaign, addedBy }) =>
        csvLine([
          phoneNumber,
          storedScopeOf(scope).label,
          localTime(new Date(at)),
          nameSource(source, storedScopeOf(scope).channel),
          keyword,
          campaign?.name,
          addedBy,
        ]),
      )
      .join('')
    last = rows.length < rowsPerPiece ? undefined : rows.at(-1)
  } while (last)
}

/** Removes a person who has given new consent: from every channel, where an opt-out applies to all. */
export async function removeOptOut(
  db: Db,
  { actor, channel, number }: { actor: UserActor; channel: Channel; number: string },
): Promise<void> {
  const removed = await db
    .deleteFrom('opt_outs')
    .where(ofOrganization(actor.scope))
    .where(sql<boolean>`channel = any(opt_out_channels(${actor.scope.organizationId}::uuid, ${channel}::channel))`)
    .where('phone', '=', Number(number.slice(1)))
    .executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw notFound('Opt-out')
  await recordAudit(db, {
    organizationId: actor.organizationId,
    ...whoActs(actor),
    action: 'opt_out.removed',
    object: { type: 'opt_out', id: `${channel}:${number}` },
    details: { number, channel },
  })
}

function matching(actorScope: Scope, { scope, source, number }: OptOutFilter): RawBuilder<boolean> {
  const digits = (number ?? '').replaceAll(/\D/g, '')
  const stored = scope && storedScopeOf(scope)
  const conditions = [
    ofOrganization(actorScope, 'known.organization_id'),
    ...(stored
      ? [sql<boolean>`known.channel = ${stored.channel}::channel and known.marketing_only = ${stored.isMarketingOnly}`]
      : []),
    ...(source ? [sql<boolean>`known.source = ${source}`] : []),
    ...(digits ? [sql<boolean>`known.phone::text like ${`%${digits}%`}`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Campaigns of other members are not named: row level security hides them. */
async function readRows(db: Db, tail: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select known.channel::text as channel, known.phone, known.keyword, known.marketing_only, known.source, known.at,
      campaign.id as campaign_id, campaign.name as campaign_name, name_above(known.added_by) as added_by
    from opt_outs known
    left join campaigns campaign on campaign.organization_id = known.organization_id and campaign.id = known.campaign_id
    ${tail}`.execute(db)
  return rows
}

function presentOptOut(row: Row): OptOut {
  return {
    phoneNumber: `+${row.phone}`,
    scope: scopeOf(row),
    source: row.source,
    ...(row.source === 'reply' && row.keyword ? { keyword: row.keyword } : {}),
    ...(row.campaign_id && row.campaign_name !== null
      ? { campaign: { _id: row.campaign_id, name: row.campaign_name } }
      : {}),
    ...(row.added_by === null ? {} : { addedBy: row.added_by }),
    at: row.at.toISOString(),
  }
}
