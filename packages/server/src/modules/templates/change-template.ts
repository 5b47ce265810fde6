import { getReviewRules } from '../../channels/index.ts'
import type { ReviewStatus } from '../../channels/management.ts'
import type { ReviewRules } from '../../channels/review-rules.ts'
import type { Db } from '../../db/pool.ts'
import { languageName } from '../../lib/language-name.ts'
import { findRate, formatPrice } from '../balance/index.ts'
import { notify } from '../notifications/index.ts'
import type { ReviewedRow, ReviewState } from './reviewed-templates.queries.ts'
import { addTemplateEvent } from './template-events.ts'

/** A provider's report on a template; only the fields it contains. */
export type ProviderUpdate = {
  status?: string | undefined
  quality?: ReviewState['quality'] | undefined
  category?: string | undefined
  previousCategory?: string | undefined
  reason?: string | undefined
  detail?: string | undefined
  at: Date
}

/** Templates that campaigns can send from now on, or can no longer. */
export type TemplateStatusEffect = { organizationId: string; templateIds: string[]; sendable: boolean }

type Update = {
  status?: string
  category?: string
  paused_until?: Date | null
  external_id?: null
  facts: ReviewState
}
type Event = { event: string; words: string }
/** An interpreted report, and the changes to store. */
type Change = { report: ProviderUpdate; rules: ReviewRules; status: ReviewStatus | undefined; update: Update }

/**
 * Stores a provider's report on a template, with its history, and notifies its author of a decision. Known and outdated reports
 * change nothing. Returns what the change means for campaigns, if anything.
 */
export async function changeTemplate(
  db: Db,
  row: ReviewedRow,
  report: ProviderUpdate,
): Promise<TemplateStatusEffect | undefined> {
  const rules = getReviewRules(row.channel)
  const change: Change = { report, rules, status: readStatus(row, report, rules), update: { facts: { ...row.facts } } }
  const { status, update } = change
  const events = [
    ...changeStatus(row, change),
    ...changeQuality(row, change),
    ...(await changeCategory(db, row, change)),
  ]
  if (events.length === 0) return undefined
  await db
    .updateTable('templates')
    .set({ ...update, facts: JSON.stringify(update.facts), updated_at: new Date() })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  for (const { event, words } of events) await addTemplateEvent(db, row, { event, words, at: report.at })
  await notifyAuthor(db, row, change)
  const [was, is] = [row.status === 'APPROVED', (status ?? row.status) === 'APPROVED']
  return was === is ? undefined : { organizationId: row.organization_id, templateIds: [row.id], sendable: is }
}

function readStatus(row: ReviewedRow, { status, at }: ProviderUpdate, rules: ReviewRules): ReviewStatus | undefined {
  if (status === undefined) return undefined
  if (row.facts.statusAt !== undefined && row.facts.statusAt > secondOf(at)) return undefined
  const known = rules.readStatus(status)
  return known === row.status || known === 'DRAFT' ? undefined : known
}

/** Callbacks have times in whole seconds, so nothing finer can be compared with them. */
const secondOf = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString()

function changeStatus(row: ReviewedRow, { status, report, update, rules }: Change): Event[] {
  if (status === undefined) return []
  const { reason: _, ...rest } = update.facts
  update.status = status
  update.facts = { ...rest, statusAt: secondOf(report.at) }
  update.paused_until = null
  // The provider has deleted it; the template may return under another id.
  if (status === 'DELETED') update.external_id = null
  const { pausedCount } = row.facts
  const { text, isProblem, pause } = rules.explainStatus(status, {
    reason: report.reason,
    detail: report.detail,
    pausedCount,
  })
  if (isProblem) update.facts.reason = text
  if (pause) {
    update.facts.pausedCount = pause.count
    update.paused_until = new Date(report.at.getTime() + pause.hours * 3_600_000)
  }
  return [{ event: status.toLowerCase(), words: text }]
}

function changeQuality(row: ReviewedRow, { report: { quality }, update, rules }: Change): Event[] {
  if (quality === undefined || quality === row.facts.quality) return []
  update.facts.quality = quality
  return [{ event: 'quality', words: rules.qualityTexts[quality] }]
}

async function changeCategory(db: Db, row: ReviewedRow, { report, update, rules }: Change): Promise<Event[]> {
  const category = report.category === undefined ? undefined : rules.readCategory(report.category)
  if (category === undefined || category === row.category) return []
  update.category = category
  update.facts.previousCategory = report.previousCategory ?? row.category
  const { reviewer, categoryName } = rules
  const moved = `${reviewer} changed the category to ${categoryName(category)} from ${categoryName(row.category)}`
  return [{ event: 'category', words: `${moved}. ${await describePrice(db, row, category)}` }]
}

/** The price of the new category compared with the old one, if both have a price. */
async function describePrice(db: Db, row: ReviewedRow, category: string): Promise<string> {
  const { rateCategory } = getReviewRules(row.channel)
  const price = async (of: string) =>
    (
      await findRate(db, {
        organizationId: row.organization_id,
        channel: row.channel,
        category: rateCategory(of),
        country: 'IN',
      })
    )?.price
  const [before, after] = [await price(row.category), await price(category)]
  if (before === undefined || after === undefined) return 'The price per message may have changed'
  if (before === after) return 'The price per message is unchanged'
  return `A message to India now costs ${formatPrice(after)} instead of ${formatPrice(before)}`
}

async function notifyAuthor(db: Db, row: ReviewedRow, { status, report, rules }: Change): Promise<void> {
  const wasUnderReview = ['PENDING', 'IN_APPEAL', 'REJECTED'].includes(row.status)
  if (!wasUnderReview || (status !== 'APPROVED' && status !== 'REJECTED')) return
  const isApproved = status === 'APPROVED'
  await notify(db, [
    {
      organizationId: row.organization_id,
      accountId: row.created_by,
      kind: isApproved ? 'template_approved' : 'template_rejected',
      title: isApproved ? `${row.name} is approved` : `${row.name} was rejected`,
      description: isApproved
        ? `Approved ${row.language === '' ? `by ${rules.reviewer}` : `in ${languageName(row.language)}`}`
        : (rules.describeReason(report.reason, report.detail) ?? `${rules.reviewer} gave no reason`),
      link: { type: 'template', id: row.id, channel: row.channel },
      eventKey: `template:${row.id}:${status}:${report.at.toISOString()}`,
    },
  ])
}
