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

/** Asks for all templates of an account and makes ours the same: new ones are added, those that are gone are marked so. */
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
      // One that was deleted is told of for a while yet.
      if (!row && isGoing(template)) continue
      if (!row) await addTemplate(db, account, template)
      const isChanged = row ? await reconcile(db, row, { template, now, onTemplateStatus }) : true
      if (row) met.add(row.id)
      if (isChanged) changed += 1
    }
    const gone = ours.filter((row) => !met.has(row.id) && isAtProvider(row, now))
    for (const row of gone) await apply(db, row, { said: { status: 'DELETED', at: now }, onTemplateStatus })
    return { found: theirs.length, changed: changed + gone.length }
  })
}

/** Was the provider's when the list was asked for: one that was submitted while it was on its way is not in it yet. */
function isAtProvider(
  { external_id, status, updated_at }: { external_id: string | null; status: string; updated_at: Date },
  asked: Date,
) {
  return external_id !== null && status !== 'DELETED' && updated_at <= asked
}

/** As many as a business may have, and then some: a list that never ends is not followed. */
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
      // It was made elsewhere, so it belongs to whoever connected the account.
      created_by: account.setup.createdBy ?? account.organization_id,
    })
    // Another reading of the same account may have come first.
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
  const { id, status, quality, category, previousCategory, rejectedReason: reason } = template
  const rules = getReviewRules(row.channel)
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
  const said = { status, quality, category, previousCategory, reason, at: now }
  const isMoved = await apply(db, { ...row, facts }, { said, onTemplateStatus })
  return isNew || theirs !== undefined || isMoved
}

type Applied = { said: ProviderUpdate; onTemplateStatus: OnTemplateStatus }

async function apply(db: Db, row: ReviewedRow, { said, onTemplateStatus }: Applied): Promise<boolean> {
  const isChanged =
    (said.status !== undefined && said.status !== row.status) ||
    (said.quality !== undefined && said.quality !== row.facts.quality) ||
    (said.category !== undefined && said.category !== row.category)
  const effect = await changeTemplate(db, row, said)
  if (effect) await onTemplateStatus(db, effect)
  return isChanged
}

/**
 * What callbacks say of an account's templates, applied in their order. Answers whether the account is to be read, because
 * they speak of templates that are not known or of words that they do not bring.
 */
export async function applyTemplateChanges(
  db: Db,
  { organizationId, accountId }: AccountKey,
  { changes, onTemplateStatus }: { changes: readonly TemplateChange[]; onTemplateStatus: OnTemplateStatus },
): Promise<{ isToRead: boolean }> {
  let isToRead = false
  for (const change of changes.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    // Read anew for each: the one before may have changed it.
    const row = findOurs(await listOfAccount(db, { organizationId, accountId }), change)
    const { status, quality, category, detail } = change
    // What it now says, or what is not known yet, is not in the callback.
    if (!row || (status ?? quality ?? category) === undefined) isToRead = true
    if (row) await apply(db, row, { said: change, onTemplateStatus })
    if (row && detail !== undefined && (status ?? quality ?? category) === undefined)
      await addNotice(db, row, { words: detail, at: change.at })
  }
  return { isToRead }
}
