import { getReviewRules } from '../../channels/index.ts'
import type { Reviewed, TemplateDraft, TemplateReview } from '../../channels/management.ts'
import type { TemplateChange } from '../../channels/provider.ts'
import type { Db, RunTransaction } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import type { AccountKey, ProviderAccount } from '../senders/index.ts'
import { changeTemplate, type ProviderUpdate, type TemplateStatusEffect } from './change-template.ts'
import { listOfAccount, type ReviewedRow } from './reviewed-templates.queries.ts'
import { addNotice, addTemplateEvent } from './template-events.ts'

/** Called in the transaction of the change, so that campaigns pause and resume with it. */
export type OnTemplateStatus = (db: Db, effect: TemplateStatusEffect) => Promise<void>

type Listing = { templateReview: TemplateReview }
type ReviewedTemplate = Reviewed<TemplateDraft>

export type SyncResult = { found: number; changed: number }

/** Reads all templates of an account: new ones are added, changed ones updated, missing ones marked as deleted. */
export async function syncTemplates(
  transaction: RunTransaction,
  { account, manage, now }: { account: ProviderAccount; manage: Listing; now: Date },
  onTemplateStatus: OnTemplateStatus,
): Promise<SyncResult> {
  const theirs = await listAll(manage)
  return transaction(async (db) => {
    const ours = await listOfAccount(db, { organizationId: account.organization_id, accountId: account.id })
    let changed = 0
    const met = new Set<string>()
    for (const template of theirs) {
      const row = findOurs(ours, { templateId: template.id, name: template.name, language: template.language })
      // Deleted templates stay in the list for a while.
      if (!row && isGoing(template)) continue
      if (!row) await addTemplate(db, account, template)
      const isChanged = row ? await reconcile(db, row, { template, now, onTemplateStatus }) : true
      if (row) met.add(row.id)
      if (isChanged) changed += 1
    }
    const gone = ours.filter((row) => !met.has(row.id) && isAtProvider(row, now))
    for (const row of gone) await apply(db, row, { report: { status: 'DELETED', at: now }, onTemplateStatus })
    return { found: theirs.length, changed: changed + gone.length }
  })
}

/** Whether the provider had it when the list was requested: one that was submitted meanwhile is not in the list yet. */
function isAtProvider(
  { external_id, status, updated_at }: { external_id: string | null; status: string; updated_at: Date },
  requestedAt: Date,
) {
  return external_id !== null && status !== 'DELETED' && updated_at <= requestedAt
}

/** More pages than any account has; ends a paging loop. */
const mostPages = 200

async function listAll({ templateReview }: Listing): Promise<ReviewedTemplate[]> {
  const all: ReviewedTemplate[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const found = await templateReview.list({ after })
    all.push(...found.templates)
    after = found.after
    if (after === undefined) break
  }
  return all
}

const isGoing = ({ status }: ReviewedTemplate) => status === 'PENDING_DELETION' || status === 'DELETED'

type Named = { templateId: string; name: string; language: string }

function findOurs(ours: readonly ReviewedRow[], { templateId, name, language }: Named) {
  return (
    ours.find(({ external_id }) => external_id !== null && external_id === templateId) ??
    ours.find((row) => row.name === name && row.language === language)
  )
}

async function addTemplate(db: Db, account: ProviderAccount, template: ReviewedTemplate): Promise<void> {
  const id = newId()
  const rules = getReviewRules(account.channel)
  const { quality, previousCategory, rejectedReason } = template
  const { numInsertedOrUpdatedRows: isNew } = await db
    .insertInto('templates')
    .values({
      organization_id: account.organization_id,
      id,
      channel: account.channel,
      provider_account_id: account.id,
      external_id: template.id,
      name: template.name,
      language: template.language,
      category: template.category,
      status: template.status,
      content: JSON.stringify(template.content),
      facts: JSON.stringify({
        ...rules.factsOf(template),
        quality,
        previousCategory,
        reason: rules.describeReason(rejectedReason, undefined),
      }),
      // It was created at the provider, so it belongs to the user who connected the account.
      created_by: account.setup.createdBy ?? account.organization_id,
    })
    // Another sync of the same account may have added it first.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!isNew) return
  await addTemplateEvent(
    db,
    { organization_id: account.organization_id, id },
    { event: 'found', words: `Created at ${rules.reviewer}` },
  )
}

type Reconciled = { template: ReviewedTemplate; now: Date; onTemplateStatus: OnTemplateStatus }

async function reconcile(db: Db, row: ReviewedRow, { template, now, onTemplateStatus }: Reconciled): Promise<boolean> {
  const { id, status, quality, previousCategory, rejectedReason: reason } = template
  const rules = getReviewRules(row.channel)
  const category = rules.listsCategory ? template.category : undefined
  const theirs = rules.reconcile(row, template)
  const isNew = row.external_id !== id
  const facts = { ...row.facts, ...theirs?.facts }
  if (isNew || theirs) {
    await db
      .updateTable('templates')
      .set({
        external_id: id,
        ...(theirs ? { content: JSON.stringify(theirs.content), facts: JSON.stringify(facts) } : {}),
      })
      .where('organization_id', '=', row.organization_id)
      .where('id', '=', row.id)
      .execute()
    await addTemplateEvent(db, row, { event: 'reworded', words: `Updated from ${rules.reviewer}` })
  }
  const report = { status, quality, category, previousCategory, reason, at: now }
  const isMoved = await apply(db, { ...row, facts }, { report, onTemplateStatus })
  return isNew || theirs !== undefined || isMoved
}

type Applied = { report: ProviderUpdate; onTemplateStatus: OnTemplateStatus }

async function apply(db: Db, row: ReviewedRow, { report, onTemplateStatus }: Applied): Promise<boolean> {
  const isChanged =
    (report.status !== undefined && report.status !== row.status) ||
    (report.quality !== undefined && report.quality !== row.facts.quality) ||
    (report.category !== undefined && report.category !== row.category)
  const effect = await changeTemplate(db, row, report)
  if (effect) await onTemplateStatus(db, effect)
  return isChanged
}

/**
 * Applies callbacks about an account's templates in the order of their times. Returns whether the account has to be read,
 * because a template is unknown or the callback lacks its new content.
 */
export async function applyTemplateChanges(
  db: Db,
  { organizationId, accountId }: AccountKey,
  { changes, onTemplateStatus }: { changes: readonly TemplateChange[]; onTemplateStatus: OnTemplateStatus },
): Promise<{ isToRead: boolean }> {
  let isToRead = false
  for (const change of changes.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    // Read again for each, because the one before may have changed it.
    const row = findOurs(await listOfAccount(db, { organizationId, accountId }), change)
    const { status, quality, category, detail } = change
    if (!row || (status ?? quality ?? category) === undefined) isToRead = true
    if (row) await apply(db, row, { report: change, onTemplateStatus })
    if (row && detail !== undefined && (status ?? quality ?? category) === undefined)
      await addNotice(db, row, { words: detail, at: change.at })
  }
  return { isToRead }
}
