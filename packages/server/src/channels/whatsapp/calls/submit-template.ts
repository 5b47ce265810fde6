import { checkWhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type {
  TemplateHeader,
  WhatsappTemplate,
  WhatsappTemplateContent,
  WhatsappTemplateInput,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import type { UploadedFile } from '../../../http/handlers.ts'
import { badField, notFound, Problem } from '../../../lib/problem.ts'
import { followTemplate } from '../../../modules/campaigns/index.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import { getAccount, withProviderErrors, type ProviderQueryDeps } from '../../../modules/senders/index.ts'
import {
  assertOwnMedia,
  assertResubmittable,
  findReviewedTemplate,
  findToWrite,
  readMedia,
  saveCopy,
  saveSubmitted,
  submitTemplate,
  type ReviewedRow,
} from '../../../modules/templates/index.ts'
import type { WhatsappTemplateDraft } from '../management.ts'
import { sampleMedia } from '../media-rules.ts'
import { openWhatsapp } from './open-whatsapp.ts'
import { presentWhatsappTemplate } from './present-template.ts'

const channel = 'whatsapp'

type Submission = {
  actor: UserActor
  transaction: RunTransaction
  body: WhatsappTemplateInput & { id?: string | undefined }
  upload: UploadedFile | undefined
}

/** Submits a template for review, outside of any transaction, and saves the result. */
export async function submitWhatsappTemplate(
  deps: ProviderQueryDeps & { files: FileStore },
  { actor, transaction, body, upload }: Submission,
): Promise<WhatsappTemplate> {
  const { id, ...entered } = body
  const { account, row } = await transaction(async (db) => {
    const found = await getAccount(db, actor.scope, { channel, externalId: entered.waba_id })
    await assertOwnMedia(db, actor, fileIdsOf(entered.components))
    return { account: found, row: await findToWrite(db, { actor, account: found, template: draftOf(entered), id }) }
  })
  const file = upload && (await readMedia(upload, sampleMedia))
  // The rules are checked before the sample is uploaded, as if its handle were known already.
  assertSubmittable(file ? withSample(entered, { handle: 'sample' }) : entered, row)
  const { manage } = openWhatsapp(account, deps)
  const handle = file && (await withProviderErrors(() => manage.media.uploadSample(file)))
  const sampled = handle === undefined ? entered : withSample(entered, { handle })
  const submitted = await withProviderErrors(() => submitTemplate(manage, draftOf(sampled), row))
  return transaction(async (db) => {
    const fileId = file && (await saveCopy(db, deps.files, { actor, channel, file }))
    const input = fileId === undefined || handle === undefined ? sampled : withSample(sampled, { handle, fileId })
    const written = await saveSubmitted(db, { actor, account, template: draftOf(input), row }, submitted)
    if (row?.status === 'APPROVED' && submitted.status !== 'APPROVED')
      await followTemplate(db, { organizationId: account.organization_id, templateIds: [row.id], sendable: false })
    return presentWhatsappTemplate(await getTemplate(db, written, actor.scope))
  })
}

export async function getTemplate(db: Db, id: string, scope: Scope): Promise<ReviewedRow> {
  const row = await findReviewedTemplate(db, { id, channel, scope })
  if (!row) throw notFound('Template')
  return row
}

export function draftOf(input: WhatsappTemplateInput): WhatsappTemplateDraft {
  const { name, language, category, parameterFormat, components } = input
  return { name, language, category, parameterFormat, content: components }
}

/** The organisation's files in the preview of a template. */
export function fileIdsOf({ header, cards }: WhatsappTemplateContent): string[] {
  const headers = [header, ...cards.map((card) => card.header)]
  return headers.flatMap((one) => (one && 'fileId' in one ? (one.fileId ?? []) : []))
}

/** Throws the violations of Meta's rules, each with its field. */
function assertSubmittable(input: WhatsappTemplateInput, row: ReviewedRow | undefined): void {
  const details = checkWhatsappTemplate(input)
    .filter(({ level }) => level === 'error')
    .map(({ field, message }) => ({ field, message }))
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Check the template', { details })
  assertResubmittable(row, draftOf(input))
}

/** The uploaded file is the sample of the header. */
function withSample(input: WhatsappTemplateInput, sample: { handle: string; fileId?: string }): WhatsappTemplateInput {
  const { header } = input.components
  if (!header || !('handle' in header))
    throw badField('file', 'Only a header with an image, a video or a document has a sample')
  const sampled: TemplateHeader = { ...header, ...sample }
  return { ...input, components: { ...input.components, header: sampled } }
}
