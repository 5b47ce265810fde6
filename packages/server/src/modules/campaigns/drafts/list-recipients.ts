import type { DraftRecipient, DraftRecipientQuery, DraftRecipients } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { sql, type RawBuilder } from 'kysely'
import type { UserActor } from '../../../actor.ts'
import type { Db } from '../../../db/pool.ts'
import { badField } from '../../../lib/problem.ts'
import { beginsWith } from '../../messages/index.ts'
import { enabledLegs } from '../ab-tests/enabled-test.ts'
import { readDraft } from '../campaigns.queries.ts'
import { excludedGroup, loadBeginnings, winnerGroup, type ListedBeginnings } from '../planning/listed-beginnings.ts'
import { getDraft } from './drafts.ts'

type ListQuery = { actor: UserActor; id: string; query: DraftRecipientQuery; now: Date; publicUrl: string }

/** The recipients counted by a number of the draft's estimate, in file order. */
export async function listDraftRecipients(
  db: Db,
  { actor, id, query, now, publicUrl }: ListQuery,
): Promise<DraftRecipients> {
  const { after = -1, limit, number } = query
  const group = groupOf(query)
  const campaign = await getDraft(db, { actor, id })
  const draft = readDraft(campaign)
  const isFirst = query.after === undefined && number === undefined
  const beginnings = await loadBeginnings(db, { actor, campaign, now, isFirst, publicUrl })
  if (query.group === 'leg' && !beginnings.hasLeg(group)) throw badField('leg', 'The draft has no such message')
  const list: GroupList = {
    audience: { organizationId: campaign.organization_id, audienceId: draft.audienceId ?? '' },
    beginnings,
    group,
  }
  const page = { after, limit }
  const { seqs, next } = number === undefined ? pageOf(list, page) : await searchPage(db, list, { ...page, number })
  const rows = await readRecipients(db, list.audience, seqs)
  return {
    recipients: rows.map((row) => present(row, beginnings, draft)),
    next,
    total: beginnings.countOf(group),
  }
}

/** As in `ListedBeginnings`. */
function groupOf({ group, leg }: DraftRecipientQuery): number {
  if (group === 'excluded') return excludedGroup
  if (group === 'rest') return winnerGroup
  if (leg === undefined) throw badField('leg', 'Required with this group')
  return leg
}

type AudienceKey = { organizationId: string; audienceId: string }
type GroupList = { audience: AudienceKey; beginnings: ListedBeginnings; group: number }
type Page = { after: number; limit: number }
type Seqs = { seqs: number[]; next: number | null }

function pageOf(list: GroupList, { after, limit }: Page): Seqs {
  return cut(takeSeqs(list, { after, limit: limit + 1 }), limit)
}

/** The first recipients of the group after a position. */
function takeSeqs({ beginnings, group }: GroupList, { after, limit }: Page): number[] {
  const seqs: number[] = []
  for (let seq = after + 1; seq < beginnings.people && seqs.length < limit; seq += 1)
    if (beginnings.isIn(group, seq)) seqs.push(seq)
  return seqs
}

function cut(found: readonly number[], limit: number): Seqs {
  const seqs = found.slice(0, limit)
  return { seqs, next: found.length > limit ? (seqs.at(-1) ?? null) : null }
}

/** A search with more matches in the whole audience reads the group's recipients in order instead. */
const mostMatches = 2000
/** Recipients compared by one statement, and statements for a page. */
const batchSize = 2000
const mostBatches = 10

async function searchPage(db: Db, list: GroupList, { number, ...page }: Page & { number: string }): Promise<Seqs> {
  const digits = number.replaceAll(/\D/g, '')
  if (digits === '') return { seqs: [], next: null }
  const matches = beginsWith(digits)
  const found = await findSeqs(db, list.audience, sql`${matches} limit ${mostMatches + 1}`)
  if (found.length > mostMatches) return searchGroup(db, list, { matches, ...page })
  const { beginnings, group } = list
  const ofGroup = found.filter((seq) => seq > page.after && beginnings.isIn(group, seq))
  return cut(
    ofGroup.toSorted((one, other) => one - other),
    page.limit,
  )
}

async function searchGroup(
  db: Db,
  list: GroupList,
  { matches, after, limit }: Page & { matches: RawBuilder<boolean> },
): Promise<Seqs> {
  const found: number[] = []
  let last = after
  for (let batch = 0; batch < mostBatches; batch += 1) {
    const seqs = takeSeqs(list, { after: last, limit: batchSize })
    const among = sql`recipient.seq = any(${seqs}::int[]) and ${matches} order by recipient.seq limit ${limit + 1 - found.length}`
    found.push(...(await findSeqs(db, list.audience, among)))
    if (found.length > limit || seqs.length < batchSize) return cut(found, limit)
    last = seqs.at(-1) ?? last
  }
  return { seqs: found, next: last }
}

async function findSeqs(
  db: Db,
  { organizationId, audienceId }: AudienceKey,
  condition: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select recipient.seq from recipients recipient
    where recipient.organization_id = ${organizationId}::uuid and recipient.audience_id = ${audienceId}::uuid and ${condition}`.execute(
    db,
  )
  return rows.map(({ seq }) => seq)
}

type RecipientRow = { seq: number; phone: number; variables: string[] }

async function readRecipients(
  db: Db,
  { organizationId, audienceId }: AudienceKey,
  seqs: readonly number[],
): Promise<RecipientRow[]> {
  if (seqs.length === 0) return []
  return db
    .selectFrom('recipients')
    .select(['seq', 'phone', 'variables'])
    .where('organization_id', '=', organizationId)
    .where('audience_id', '=', audienceId)
    .where('seq', '=', sql<number>`any(${seqs}::int[])`)
    .orderBy('seq')
    .execute()
}

function present(
  { seq, phone, variables }: RecipientRow,
  beginnings: ListedBeginnings,
  draft: CampaignDraft,
): DraftRecipient {
  const exclusion = beginnings.exclusionAt(seq)
  const channel = exclusion && enabledLegs(draft).find(({ position }) => position === exclusion.leg)?.leg.channel
  return {
    seq,
    phoneNumber: `+${phone}`,
    values: variables,
    ...(channel ? { excluded: { ...exclusion, channel } } : {}),
  }
}
