import { getChannel, getReviewRules } from '../../channels/index.ts'
import type { TemplateDraft } from '../../channels/management.ts'
import type { Db } from '../../db/pool.ts'
import { refuseDuplicate } from '../../db/refuse-duplicate.ts'
import { ofOrganization } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import {
  findReviewedTemplate,
  listOfOwner,
  type ReviewedRow,
  type TemplateOwner,
} from './reviewed-templates.queries.ts'
import { addTemplateEvent } from './template-events.ts'

type Writing = { actor: UserActor; account: TemplateOwner; template: TemplateDraft }

/** Saves a draft: a new one, or the one in `row`. A draft need not satisfy the rules of the review yet. */
export async function saveDraft(
  db: Db,
  { row, fileIds, ...writing }: Writing & { row: ReviewedRow | undefined; fileIds: readonly string[] },
): Promise<string> {
  const isSubmitted = row && (row.external_id !== null || !['DRAFT', 'DELETED'].includes(row.status))
  if (isSubmitted) throw conflict('This template was already submitted: submit it again to change it')
  if (writing.template.name.trim() === '') throw badField('name', 'Enter a name')
  await assertOwnMedia(db, writing.actor, fileIds)
  const id = await writeTemplate(db, { ...writing, row }, { status: 'DRAFT' })
  await note(db, { ...writing, id }, row ? 'draft_changed' : 'created')
  return id
}

/** The provider's response to a submitted template, and its id there; null if the provider reviews no templates. */
export type Submitted = { externalId: string | null; status: string; category: string }

/** Saves a submitted template. A status that a callback has set meanwhile is newer than the provider's response. */
export async function saveSubmitted(
  db: Db,
  { row, ...writing }: Writing & { row: ReviewedRow | undefined },
  submitted: Submitted,
): Promise<string> {
  const { externalId } = submitted
  const isSame = (other: ReviewedRow) => externalId !== null && other.external_id === externalId
  const now = (await listOfOwner(db, writing.account)).find((other) => other.id === row?.id || isSame(other))
  const isStatusNewer =
    now !== undefined && isSame(now) && (row === undefined || now.facts.statusAt !== row.facts.statusAt)
  const current = isStatusNewer ? { ...submitted, status: now.status } : submitted
  const id = await writeTemplate(db, { ...writing, row: now ?? row }, current)
  await note(db, { ...writing, id }, eventOf(row, submitted))
  return id
}

function eventOf(row: ReviewedRow | undefined, { externalId }: Submitted): keyof typeof eventTexts {
  if (externalId === null) return row && row.status !== 'DRAFT' ? 'changed' : 'published'
  return row && row.external_id !== null ? 'resubmitted' : 'submitted'
}

/** The template of a call, or a deleted one of the same name and language that can be restored. */
export async function findToWrite(
  db: Db,
  { actor, account, template, id }: Writing & { id: string | undefined },
): Promise<ReviewedRow | undefined> {
  if (id !== undefined) {
    const row = await findReviewedTemplate(db, { id, channel: account.channel, scope: actor.scope })
    if (!row) throw notFound('Template')
    if (row.provider_account_id !== (account.id ?? '') && row.external_id !== null)
      throw conflict(`A submitted template cannot move to another ${getChannel(account.channel).accounts.name}`)
    return row
  }
  const same = await listOfOwner(db, account, template)
  const deleted = same.find(({ language, status }) => language === template.language && status === 'DELETED')
  if (!deleted && same.some(({ language }) => language === template.language)) throw taken(template)
  return deleted
}

/** Templates of some channels have no language. */
const taken = ({ language }: TemplateDraft) =>
  badField('name', `A template with this name${language === '' ? '' : ' and language'} already exists`)

/** Throws if a template that was submitted before may not be submitted again with these changes. */
export function assertResubmittable(row: ReviewedRow | undefined, template: TemplateDraft): void {
  if (!row || row.external_id === null || row.status === 'DELETED') return
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(row.status))
    throw conflict(`This template is in review at ${getReviewRules(row.channel).reviewer} and cannot be changed yet`)
  if (row.name !== template.name)
    throw badField('name', 'The name of a submitted template cannot change: create a new template')
  if (row.language !== template.language)
    throw badField('language', 'The language of a submitted template cannot change: add a language instead')
  if (row.status === 'APPROVED' && row.category !== template.category)
    throw badField('category', 'The category of an approved template cannot change: create a new template')
}

/** Files in a template must be media of the organisation. */
export async function assertOwnMedia(db: Db, { scope }: UserActor, fileIds: readonly string[]): Promise<void> {
  const ids = [...new Set(fileIds)]
  if (ids.length === 0) return
  const found = await db
    .selectFrom('files')
    .select('id')
    .where(ofOrganization(scope))
    .where('id', 'in', ids)
    .where('purpose', '=', 'media')
    .execute()
  if (found.length < ids.length) throw notFound('File')
}

async function writeTemplate(
  db: Db,
  { actor, account, template, row }: Writing & { row: ReviewedRow | undefined },
  submitted: Partial<Submitted> & { status: string },
): Promise<string> {
  const written = columnsOf({ account, template, row }, submitted)
  if (row) {
    await refuseDuplicate(
      db
        .updateTable('templates')
        .set(written)
        .where('organization_id', '=', row.organization_id)
        .where('id', '=', row.id)
        .execute(),
      taken(template),
    )
    return row.id
  }
  await assertWithinLimits(db, actor.scope.path, { templates: 1 })
  const id = newId()
  const { organization_id, channel } = account
  await refuseDuplicate(
    db
      .insertInto('templates')
      .values({ ...written, organization_id, id, channel, created_by: actor.accountId })
      .execute(),
    taken(template),
  )
  return id
}

function columnsOf(
  { account, template, row }: Omit<Writing, 'actor'> & { row: ReviewedRow | undefined },
  submitted: Partial<Submitted> & { status: string },
) {
  const { name, language, content } = template
  const { reason, ...otherFacts } = row?.facts ?? {}
  const isMoved = submitted.category !== undefined && submitted.category !== template.category
  return {
    name,
    language,
    category: submitted.category ?? template.category,
    status: submitted.status,
    external_id: submitted.externalId ?? null,
    provider_account_id: account.id,
    content: JSON.stringify(content),
    paused_until: null,
    facts: JSON.stringify({
      ...otherFacts,
      ...(row?.status === submitted.status ? { reason } : {}),
      ...getReviewRules(account.channel).factsOf(template),
      ...(isMoved ? { previousCategory: template.category } : {}),
    }),
    updated_at: new Date(),
  }
}

const eventTexts = {
  created: () => 'Draft created',
  draft_changed: () => 'Draft changed',
  published: () => 'Ready to send',
  changed: () => 'Changed',
  submitted: (reviewer: string) => `Submitted to ${reviewer} for review`,
  resubmitted: () => 'Changed and resubmitted',
}

async function note(
  db: Db,
  { actor, account, id }: { actor: UserActor; account: TemplateOwner; id: string },
  event: keyof typeof eventTexts,
): Promise<void> {
  const { organization_id, channel } = account
  const words = eventTexts[event](getReviewRules(channel).reviewer)
  await addTemplateEvent(db, { organization_id, id }, { event, words, actorId: actor.accountId })
  await recordAudit(db, {
    organizationId: organization_id,
    ...whoActs(actor),
    action: `template.${event}`,
    object: { type: 'template', id },
  })
}
