import { checkRcsTemplate } from '@carillon/contract/channels/rcs/rcs-template-rules'
import type { RcsTemplate, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import { notFound, Problem } from '../../../lib/problem.ts'
import { followTemplate } from '../../../modules/campaigns/index.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import {
  getAccount,
  openAccount,
  withProviderErrors,
  type ProviderAccount,
  type ProviderQueryDeps,
} from '../../../modules/senders/index.ts'
import {
  assertOwnMedia,
  assertResubmittable,
  findReviewedTemplate,
  findToWrite,
  saveDraft,
  saveSubmitted,
  submitTemplate,
  type ReviewedRow,
  type TemplateOwner,
} from '../../../modules/templates/index.ts'
import { findProvider } from '../../index.ts'
import type { RcsTemplateDraft } from '../management.ts'
import { getBot } from './find-bot.ts'
import { presentRcsTemplate } from './present-template.ts'
import { fileIdsOf, loadMedia, readMediaFiles, withMediaUrls } from './template-media.ts'

const channel = 'rcs'

export type TemplateDeps = ProviderQueryDeps & { files: FileStore; publicUrl(): string }
type Entered = RcsTemplateInput & { id?: string | undefined }
type Change = { actor: UserActor; body: Entered }

export async function saveTemplateDraft(
  db: Db,
  { actor, body }: Change,
  { publicUrl }: Pick<TemplateDeps, 'publicUrl'>,
): Promise<RcsTemplate> {
  const { owner } = await getOwner(db, actor, body)
  const template = draftOf(body, publicUrl())
  const writing = { actor, account: owner, template }
  const row = await findToWrite(db, { ...writing, id: body.id })
  const id = await saveDraft(db, { ...writing, row, fileIds: fileIdsOf(template.content) })
  return presentRcsTemplate(await getTemplate(db, id, actor.scope))
}

/** Publishes a template, or submits it to the bot's operator for review, outside of any transaction. */
export async function publishTemplate(
  deps: TemplateDeps,
  { actor, body, transaction }: Change & { transaction: RunTransaction },
): Promise<RcsTemplate> {
  const template = draftOf(body, deps.publicUrl())
  const { content } = template
  assertPublishable({ ...body, ...content })
  const { owner, account, row, media } = await transaction(async (db) => {
    const found = await getOwner(db, actor, body)
    await assertOwnMedia(db, actor, fileIdsOf(content))
    const written = await findToWrite(db, { actor, account: found.owner, template, id: body.id })
    return { ...found, row: written, media: await loadMedia(db, { content, scope: actor.scope }) }
  })
  assertResubmittable(row, template)
  const review = account && reviewOf(account, deps)
  const files = review ? await readMediaFiles(deps.files, media) : undefined
  const submitted = review
    ? await withProviderErrors(() => submitTemplate(review, { ...template, ...(files && { files }) }, row))
    : { externalId: null, status: 'APPROVED', category: template.category }
  return transaction(async (db) => {
    const id = await saveSubmitted(db, { actor, account: owner, template, row }, submitted)
    if (row?.status === 'APPROVED' && submitted.status !== 'APPROVED')
      await followTemplate(db, { organizationId: owner.organization_id, templateIds: [row.id], sendable: false })
    return presentRcsTemplate(await getTemplate(db, id, actor.scope))
  })
}

export async function getTemplate(db: Db, id: string, scope: Scope): Promise<ReviewedRow> {
  const row = await findReviewedTemplate(db, { id, channel, scope })
  if (!row) throw notFound('Template')
  return row
}

/** The management calls for templates; undefined if the account's operator reviews none. */
export function reviewOf(account: ProviderAccount, deps: ProviderQueryDeps) {
  if (!findProvider(account.provider)?.reviewsTemplates) return undefined
  const { templateReview } = openAccount(account, deps).manage
  return templateReview && { templateReview }
}

/** The account of the bot, if the template is for one. */
async function getOwner(
  db: Db,
  { scope, organizationId }: UserActor,
  { botId }: Pick<RcsTemplateInput, 'botId'>,
): Promise<{ owner: TemplateOwner; account: ProviderAccount | undefined }> {
  if (botId === null) return { owner: { organization_id: organizationId, channel, id: null }, account: undefined }
  const { accountId } = await getBot(db, scope, botId)
  const account = await getAccount(db, scope, { channel, id: accountId })
  return { owner: account, account }
}

/** `isFromLibrary` is stored beside the content, of which it is no part. */
function draftOf(input: Entered, publicUrl: string): RcsTemplateDraft {
  const { id: _id, botId: _bot, name, category, ...content } = input
  return { name, language: '', category, content: { ...content, ...withMediaUrls(content, publicUrl) } }
}

/** Throws the violations of the rules, each with its field. */
function assertPublishable(input: RcsTemplateInput): void {
  const details = checkRcsTemplate(input)
    .filter(({ level }) => level === 'error')
    .map(({ field, message }) => ({ field, message }))
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Check the template', { details })
}
