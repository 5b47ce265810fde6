import { WhatsappCategory, WhatsappTemplateStatus } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { languageName } from '../../lib/language-name.ts'
import { findRate, formatPrice } from '../balance/index.ts'
import { notify } from '../notifications/index.ts'
import {
  categoryNames,
  disabledReason,
  describeTemplatePause,
  pauseOf,
  rateCategoryOf,
  describeReviewReason,
} from '../../channels/whatsapp/template-labels.ts'
import type { ProviderTemplateState, WhatsappTemplateRow } from './reviewed-templates.queries.ts'

/** What a provider says of a template: only what it spoke of. */
export type ProviderUpdate = {
  status?: string | undefined
  quality?: ProviderTemplateState['quality'] | undefined
  category?: string | undefined
  previousCategory?: WhatsappCategory | undefined
  reason?: string | undefined
  detail?: string | undefined
  at: Date
}

/** Templates that campaigns may send from now on, or may no longer. */
export type TemplateStatusEffect = { organizationId: string; templateIds: string[]; sendable: boolean }

type Update = {
  status?: string
  category?: string
  paused_until?: Date | null
  external_id?: null
  facts: ProviderTemplateState
}
type Event = { event: string; words: string }

/** Other words that a status comes under. */
const statusBySynonym: Record<string, WhatsappTemplateStatus> = {
  REINSTATED: 'APPROVED',
  UNPAUSED: 'APPROVED',
  LOCKED: 'DISABLED',
  IN_REVIEW: 'PENDING',
}

/**
 * Writes what a provider said of a template, with its history, and tells its author of a decision. What was said before, or
 * comes too late, changes nothing. Answers what that means for campaigns, if anything.
 */
export async function changeTemplate(
  db: Db,
  row: WhatsappTemplateRow,
  said: ProviderUpdate,
): Promise<TemplateStatusEffect | undefined> {
  const status = readStatus(row, said)
  const update: Update = { facts: { ...row.facts } }
  const events = [
    ...changeStatus(row, { status, said }, update),
    ...changeQuality(row, said, update),
    ...(await changeCategory(db, row, { said, update })),
  ]
  if (events.length === 0) return undefined
  await db
    .updateTable('templates')
    .set({ ...update, facts: JSON.stringify(update.facts), updated_at: new Date() })
    .where('organization_id', '=', row.organization_id)
    .where('id', '=', row.id)
    .execute()
  for (const { event, words } of events) await addTemplateEvent(db, row, { event, words, at: said.at })
  await notifyAuthor(db, row, { status, said })
  const [was, is] = [row.status === 'APPROVED', (status ?? row.status) === 'APPROVED']
  return was === is ? undefined : { organizationId: row.organization_id, templateIds: [row.id], sendable: is }
}

function readStatus(row: WhatsappTemplateRow, { status, at }: ProviderUpdate): WhatsappTemplateStatus | undefined {
  if (status === undefined) return undefined
  if (row.facts.statusAt !== undefined && row.facts.statusAt > secondOf(at)) return undefined
  const word = status.toUpperCase()
  const known = WhatsappTemplateStatus.safeParse(word).data ?? statusBySynonym[word]
  return known === row.status || known === 'DRAFT' ? undefined : known
}

/** Callbacks tell their time in whole seconds, so nothing finer may be compared with them. */
const secondOf = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString()

type Decision = { status: WhatsappTemplateStatus | undefined; said: ProviderUpdate }

function changeStatus(row: WhatsappTemplateRow, { status, said }: Decision, update: Update): Event[] {
  if (status === undefined) return []
  const { reason: _, ...rest } = update.facts
  update.status = status
  update.facts = { ...rest, statusAt: secondOf(said.at) }
  update.paused_until = null
  // Its id is nobody's any more; the template may come back under another one.
  if (status === 'DELETED') update.external_id = null
  const words = explain(row, { status, said }, update)
  if (words !== undefined) update.facts.reason = words
  return [
    { event: status.toLowerCase(), words: words ?? statusMessages[status] ?? `It is now ${status.toLowerCase()}` },
  ]
}

const statusMessages: Partial<Record<WhatsappTemplateStatus, string>> = {
  APPROVED: 'Approved for sending',
  PENDING: 'In review at Meta, usually less than a day',
  IN_APPEAL: 'Meta is reviewing it again',
  DELETED: 'It was deleted at Meta',
  PENDING_DELETION: 'It is being deleted at Meta',
  ARCHIVED: 'Archived by Meta because it was unused',
}

/** Why it may not be sent; undefined where nothing is wrong. */
function explain(
  row: WhatsappTemplateRow,
  { status, said }: Decision & { status: WhatsappTemplateStatus },
  update: Update,
): string | undefined {
  if (status === 'PAUSED') {
    const pause = pauseOf(said.reason, row.facts.pausedCount)
    update.facts.pausedCount = pause.count
    update.paused_until = new Date(said.at.getTime() + pause.hours * 3_600_000)
    return describeTemplatePause(pause)
  }
  if (status === 'DISABLED') return disabledReason
  if (status === 'REJECTED')
    return describeReviewReason(said.reason, said.detail) ?? 'Meta gave no reason: change its words and submit it again'
  if (status === 'LIMIT_EXCEEDED') return 'The account has as many templates as it may: delete some first'
  return undefined
}

const numberQualityLabels = {
  green: 'Quality is high: few people block or report it',
  yellow: 'Quality is medium: some people block or report it',
  red: 'Quality is low: if that stays so, Meta pauses it',
  unknown: 'Quality is not known yet',
}

function changeQuality(row: WhatsappTemplateRow, { quality }: ProviderUpdate, update: Update): Event[] {
  if (quality === undefined || quality === row.facts.quality) return []
  update.facts.quality = quality
  return [{ event: 'quality', words: numberQualityLabels[quality] }]
}

async function changeCategory(
  db: Db,
  row: WhatsappTemplateRow,
  { said, update }: { said: ProviderUpdate; update: Update },
): Promise<Event[]> {
  const category = WhatsappCategory.safeParse(said.category?.toUpperCase()).data
  if (category === undefined || category === row.category) return []
  update.category = category
  update.facts.previousCategory = said.previousCategory ?? row.category
  const moved = `Meta put it under ${categoryNames[category]} instead of ${categoryNames[row.category]}`
  return [{ event: 'category', words: `${moved}. ${await describePrice(db, row, category)}` }]
}

/** What the new category costs beside the old one, where both have a price. */
async function describePrice(db: Db, row: WhatsappTemplateRow, category: WhatsappCategory): Promise<string> {
  const price = async (of: WhatsappCategory) =>
    (
      await findRate(db, {
        organizationId: row.organization_id,
        channel: 'whatsapp',
        category: rateCategoryOf(of),
        country: 'IN',
      })
    )?.price
  const [before, after] = [await price(row.category), await price(category)]
  if (before === undefined || after === undefined) return 'The price per message may have changed'
  if (before === after) return 'The price per message is unchanged'
  return `A message to India now costs ${formatPrice(after)} instead of ${formatPrice(before)}`
}

/** A line of its history; the words are what people read. */
export async function addTemplateEvent(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string },
  { event, words, at = new Date(), actorId }: Event & { at?: Date; actorId?: string },
): Promise<void> {
  await db
    .insertInto('template_events')
    .values({
      organization_id,
      id: newId(),
      template_id: id,
      at,
      actor_id: actorId ?? null,
      event,
      details: JSON.stringify({ words }),
    })
    .execute()
}

async function notifyAuthor(db: Db, row: WhatsappTemplateRow, { status, said }: Decision): Promise<void> {
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
        ? `Approved in ${languageName(row.language)}`
        : (describeReviewReason(said.reason, said.detail) ?? 'Meta gave no reason'),
      link: { type: 'template', id: row.id },
      eventKey: `template:${row.id}:${status}:${said.at.toISOString()}`,
    },
  ])
}
