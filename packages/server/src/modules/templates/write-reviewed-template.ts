import type {
  WhatsappTemplateContent,
  WhatsappTemplateInput,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { checkWhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { WhatsappTemplateDraft } from '../../channels/whatsapp/management.ts'
import type { Db } from '../../db/pool.ts'
import { ofOrganization } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound, Problem } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { ProviderAccount } from '../senders/index.ts'
import { addTemplateEvent } from './change-template.ts'
import { findWhatsappTemplate, listOfAccount, type WhatsappTemplateRow } from './reviewed-templates.queries.ts'

type Writing = { actor: UserActor; account: ProviderAccount; input: WhatsappTemplateInput }

/** Keeps a draft: a new one, or the one that is named. What a draft says need not keep any rule yet. */
export async function saveDraft(
  db: Db,
  { actor, account, input, row }: Writing & { row: WhatsappTemplateRow | undefined },
): Promise<string> {
  if (row && row.external_id !== null)
    throw conflict('This template was already submitted: submit it again to change it')
  if (input.name.trim() === '') throw badField('name', 'Enter a name')
  await assertOwnFiles(db, actor, input.components)
  const id = await writeTemplate(db, { actor, account, input, row }, { status: 'DRAFT' })
  await note(db, { actor, account, id }, row ? 'draft_changed' : 'created')
  return id
}

/** What the provider answered to a template, and under which id it goes on. */
export type Submitted = { externalId: string; status: string; category: string }

/** Saves a submitted template. A status that a callback has set meanwhile is newer than the provider's response. */
export async function saveSubmitted(
  db: Db,
  { actor, account, input, row }: Writing & { row: WhatsappTemplateRow | undefined },
  submitted: Submitted,
): Promise<string> {
  const key = { organizationId: account.organization_id, accountId: account.id }
  const now = (await listOfAccount(db, key)).find(
    ({ id, external_id }) => id === row?.id || external_id === submitted.externalId,
  )
  const isStatusNewer =
    now?.external_id === submitted.externalId && (row === undefined || now.facts.statusAt !== row.facts.statusAt)
  const current = isStatusNewer ? { ...submitted, status: now.status } : submitted
  const id = await writeTemplate(db, { actor, account, input, row: now ?? row }, current)
  await note(db, { actor, account, id }, row && row.external_id !== null ? 'resubmitted' : 'submitted')
  return id
}

/** The row that a call names, or one of the same name and language that was deleted and may come back. */
export async function findToWrite(
  db: Db,
  { actor, account, input, id }: Writing & { id: string | undefined },
): Promise<WhatsappTemplateRow | undefined> {
  if (id !== undefined) {
    const row = await findWhatsappTemplate(db, { id, scope: actor.scope })
    if (!row) throw notFound('Template')
    if (row.provider_account_id !== account.id && row.external_id !== null)
      throw conflict('A submitted template cannot move to another WhatsApp account')
    return row
  }
  const same = await listOfAccount(db, { organizationId: account.organization_id, accountId: account.id }, input)
  const deleted = same.find(({ language, status }) => language === input.language && status === 'DELETED')
  if (!deleted && same.some(({ language }) => language === input.language)) throw taken()
  return deleted
}

const taken = () => badField('name', 'A template with this name and language already exists')

/** Throws what the rules say against it, each complaint by its field. */
export function assertSubmittable(input: WhatsappTemplateInput, row: WhatsappTemplateRow | undefined): void {
  const details = checkWhatsappTemplate(input)
    .filter(({ level }) => level === 'error')
    .map(({ field, message }) => ({ field, message }))
  if (details.length > 0) throw new Problem('bad_request', details[0]?.message ?? 'Check the template', { details })
  if (!row || row.external_id === null || row.status === 'DELETED') return
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(row.status))
    throw conflict('This template is in review at Meta and cannot be changed yet')
  if (row.name !== input.name)
    throw badField('name', 'The name of a submitted template cannot change: create a new template')
  if (row.language !== input.language)
    throw badField('language', 'The language of a submitted template cannot change: add a language instead')
  if (row.status === 'APPROVED' && row.category !== input.category)
    throw badField('category', 'The category of an approved template cannot change: create a new template')
}

export function draftOf({
  name,
  language,
  category,
  parameterFormat,
  components,
}: WhatsappTemplateInput): WhatsappTemplateDraft {
  return { name, language, category, parameterFormat, content: components }
}

/** Pictures of the preview are the organisation's own files. */
export async function assertOwnFiles(db: Db, { scope }: UserActor, content: WhatsappTemplateContent): Promise<void> {
  const headers = [content.header, ...content.cards.map(({ header }) => header)]
  const ids = [...new Set(headers.flatMap((header) => (header && 'fileId' in header ? (header.fileId ?? []) : [])))]
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
  { actor, account, input, row }: Writing & { row: WhatsappTemplateRow | undefined },
  submitted: { status: string; externalId?: string; category?: string },
): Promise<string> {
  const { name, language, parameterFormat, components } = input
  const { reason, ...otherFacts } = row?.facts ?? {}
  const facts = row?.status === submitted.status ? { ...otherFacts, reason } : otherFacts
  const written = {
    name,
    language,
    category: submitted.category ?? input.category,
    status: submitted.status,
    external_id: submitted.externalId ?? null,
    provider_account_id: account.id,
    content: JSON.stringify(components),
    paused_until: null,
    facts: JSON.stringify({
      ...facts,
      parameterFormat,
      ...(submitted.category && submitted.category !== input.category ? { previousCategory: input.category } : {}),
    }),
    updated_at: new Date(),
  }
  if (row) {
    await refuseSecondName(
      db
        .updateTable('templates')
        .set(written)
        .where('organization_id', '=', row.organization_id)
        .where('id', '=', row.id)
        .execute(),
    )
    return row.id
  }
  await assertWithinLimits(db, actor.scope.path, { templates: 1 })
  const id = newId()
  await refuseSecondName(
    db
      .insertInto('templates')
      .values({
        ...written,
        organization_id: account.organization_id,
        id,
        channel: 'whatsapp',
        created_by: actor.accountId,
      })
      .execute(),
  )
  return id
}

async function refuseSecondName(writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') throw taken()
    throw error
  }
}

const wordsOf = {
  created: 'Draft created',
  draft_changed: 'Draft changed',
  submitted: 'Submitted to Meta for review',
  resubmitted: 'Changed and resubmitted',
}

async function note(
  db: Db,
  { actor, account, id }: { actor: UserActor; account: ProviderAccount; id: string },
  event: keyof typeof wordsOf,
): Promise<void> {
  const { organization_id } = account
  await addTemplateEvent(db, { organization_id, id }, { event, words: wordsOf[event], actorId: actor.accountId })
  await recordAudit(db, {
    organizationId: organization_id,
    ...whoActs(actor),
    action: `template.${event}`,
    object: { type: 'template', id },
  })
}
