import {
  type TemplateEvent,
  type TemplateHeader,
  type WhatsappTemplate,
  type WhatsappTemplateInput,
  type whatsappTemplateEndpoints,
} from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { Db, RunTransaction } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers, UploadedFile } from '../../../http/handlers.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import type { FileStore } from '../../../modules/files/index.ts'
import { asking, getAccount, listLines, openAccount, type AskDeps, type ProviderAccount } from '../../../modules/senders/index.ts'
import { forgetTemplates, listCampaignsUsing, listToDelete } from '../../../modules/templates/delete-reviewed-templates.ts'
import { syncTemplates, type OnTemplateStatus } from '../../../modules/templates/sync-templates.ts'
import { readCursor, writeCursor } from '../../../modules/templates/template-cursors.ts'
import { saveCopy, readMedia } from '../../../modules/templates/media-copies.ts'
import { findWhatsappTemplate, listWhatsappTemplates, type WhatsappTemplateRow } from '../../../modules/templates/reviewed-templates.queries.ts'
import {
  assertOwnFiles,
  assertSubmittable,
  draftOf,
  findToWrite,
  saveSubmitted,
  saveDraft,
} from '../../../modules/templates/write-reviewed-template.ts'

export type WhatsappTemplateDeps = AskDeps & { files: FileStore; onTemplateStatus: OnTemplateStatus }

type All = Handlers<typeof whatsappTemplateEndpoints>

export function whatsappTemplateHandlers(deps: WhatsappTemplateDeps): All {
  return { ...readHandlers(), ...writeHandlers(deps), ...mediaHandlers(deps) }
}

function readHandlers(): Pick<All, 'waTemplates.list' | 'waTemplates.get'> {
  return {
    'waTemplates.list': async ({ db, actor, input }) => {
      const { limit, before, after, fields: _, ...filter } = input.query
      const page = { limit, before: readCursor(before), after: readCursor(after) }
      const { rows, total, hasBefore, hasAfter } = await listWhatsappTemplates(db, { scope: actor.scope, filter, page })
      const [first, last] = [rows[0], rows.at(-1)]
      const cursors = {
        ...(first ? { before: writeCursor(first) } : {}),
        ...(last ? { after: writeCursor(last) } : {}),
      }
      const paging = {
        cursors,
        ...(hasAfter && last ? { next: addressOf(input.query, { after: cursors.after }) } : {}),
        ...(hasBefore && first ? { previous: addressOf(input.query, { before: cursors.before }) } : {}),
      }
      return { data: rows.map(presentWhatsappTemplate), paging, total }
    },
    'waTemplates.get': async ({ db, actor, input }) => {
      const row = await getTemplate(db, input.path.id, actor.scope)
      return { ...presentWhatsappTemplate(row), events: await listEvents(db, row) }
    },
  }
}

/** The address of the page beside this one. */
function addressOf(query: Record<string, unknown>, place: { before?: string | undefined; after?: string | undefined }) {
  const asked = { ...query, before: undefined, after: undefined, ...place }
  const set = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return `/api/waba/templates?${new URLSearchParams(set)}`
}

function writeHandlers(
  deps: WhatsappTemplateDeps,
): Pick<All, 'waTemplates.save' | 'waTemplates.create' | 'waTemplates.delete' | 'waTemplates.sync'> {
  return {
    'waTemplates.save': async ({ db, actor, input }) => {
      const { id, ...body } = input.body
      const account = await getAccount(db, actor.scope, { externalId: body.waba_id })
      const row = await findToWrite(db, { actor, account, input: body, id })
      const written = await saveDraft(db, { actor, account, input: body, row })
      return presentWhatsappTemplate(await getTemplate(db, written, actor.scope))
    },
    'waTemplates.create': {
      withoutTransaction: ({ actor, scoped, input, files }) =>
        submit(deps, { actor, transaction: scoped, body: input.body, upload: files['file'] }),
    },
    'waTemplates.delete': {
      withoutTransaction: async ({ scoped, actor, input }) => {
        const { templateName } = input.query
        const { account, rows } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { externalId: input.body.waba_id })
          return { account: found, rows: await listToDelete(db, found, templateName) }
        })
        const isKnownThere = rows.some(({ external_id, status }) => external_id !== null && status !== 'DELETED')
        if (isKnownThere) await asking(() => openAccount(account, deps).manage.templateReview.delete(templateName))
        return scoped(async (db) => {
          const campaigns = await listCampaignsUsing(db, { actor, templateIds: rows.map(({ id }) => id) })
          await forgetTemplates(db, actor, rows)
          return { campaigns }
        })
      },
    },
    'waTemplates.sync': {
      withoutTransaction: async ({ actor, scoped, input }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { externalId: input.body.waba_id }))
        const { manage } = openAccount(account, deps)
        const now = deps.io.clock.now()
        return asking(() => syncTemplates(scoped, { account, manage, now }, deps.onTemplateStatus))
      },
    },
  }
}

type Submission = {
  actor: UserActor
  transaction: RunTransaction
  body: WhatsappTemplateInput & { id?: string | undefined }
  upload: UploadedFile | undefined
}

/** Gives a template to the provider for its review, outside of any transaction, and keeps what became of it. */
async function submit(
  deps: WhatsappTemplateDeps,
  { actor, transaction, body, upload }: Submission,
): Promise<WhatsappTemplate> {
  const { id, ...entered } = body
  const { account, row } = await transaction(async (db) => {
    const found = await getAccount(db, actor.scope, { externalId: entered.waba_id })
    await assertOwnFiles(db, actor, entered.components)
    return { account: found, row: await findToWrite(db, { actor, account: found, input: entered, id }) }
  })
  const file = upload && (await readMedia(upload, 'sample'))
  // The rules are asked before anything leaves, as if the sample had its handle already.
  assertSubmittable(file ? withSample(entered, { handle: 'sample' }) : entered, row)
  const { manage } = openAccount(account, deps)
  const handle = file && (await asking(() => manage.media.uploadSample(file)))
  const sampled = handle === undefined ? entered : withSample(entered, { handle })
  const known = row && row.status !== 'DELETED' ? row.external_id : null
  const answer = await asking(async () => {
    if (known === null) return manage.templateReview.create(draftOf(sampled))
    await manage.templateReview.edit(known, draftOf(sampled))
    return { id: known, status: 'PENDING', category: sampled.category }
  })
  return transaction(async (db) => {
    const fileId = file && (await saveCopy(db, deps.files, { actor, file }))
    const input = fileId === undefined || handle === undefined ? sampled : withSample(sampled, { handle, fileId })
    const { id: externalId, status, category } = answer
    const written = await saveSubmitted(db, { actor, account, input, row }, { externalId, status, category })
    if (row?.status === 'APPROVED' && status !== 'APPROVED')
      await deps.onTemplateStatus(db, {
        organizationId: account.organization_id,
        templateIds: [row.id],
        sendable: false,
      })
    return presentWhatsappTemplate(await getTemplate(db, written, actor.scope))
  })
}

/** The file that came with the form is the sample of its header. */
function withSample(input: WhatsappTemplateInput, sample: { handle: string; fileId?: string }): WhatsappTemplateInput {
  const { header } = input.components
  if (!header || !('handle' in header))
    throw badField('file', 'Only a header with an image, a video or a document has a sample')
  const sampled: TemplateHeader = { ...header, ...sample }
  return { ...input, components: { ...input.components, header: sampled } }
}

function mediaHandlers(deps: WhatsappTemplateDeps): Pick<All, 'waMedia.campaign' | 'waMedia.template'> {
  return {
    'waMedia.template': {
      withoutTransaction: async ({ scoped, actor, input, files }) => {
        const account = await scoped((db) => getAccount(db, actor.scope, { externalId: input.body.waba_id }))
        const file = await readMedia(files['file'], 'sample')
        const handle = await asking(() => openAccount(account, deps).manage.media.uploadSample(file))
        return { handle, fileId: await scoped((db) => saveCopy(db, deps.files, { actor, file })) }
      },
    },
    'waMedia.campaign': {
      withoutTransaction: async ({ scoped, actor, input, files }) => {
        const { account, lineId } = await scoped(async (db) => {
          const found = await getAccount(db, actor.scope, { externalId: input.body.waba_id })
          const named = input.body.phone_number_id
          return { account: found, lineId: await chooseLine(db, { actor, account: found, lineId: named }) }
        })
        const file = await readMedia(files['file'], 'message')
        const { id, expiresAt } = await asking(() => openAccount(account, deps).manage.media.upload(lineId, file))
        const fileId = await scoped((db) => saveCopy(db, deps.files, { actor, file }))
        return { mediaId: id, fileId, expiresAt: expiresAt.toISOString() }
      },
    },
  }
}

/** Media belong to the number that sends them; without one named, it is the account's first that is on. */
async function chooseLine(
  db: Db,
  { actor, account, lineId }: { actor: UserActor; account: ProviderAccount; lineId: string | undefined },
): Promise<string> {
  const lines = await listLines(db, actor.scope, { accountId: account.id, lineId })
  const line = lines.find(({ is_active }) => is_active) ?? lines[0]
  if (line) return line.external_id
  if (lineId !== undefined) throw notFound('Phone number')
  throw conflict('The account has no number yet')
}

async function getTemplate(db: Db, id: string, scope: Scope): Promise<WhatsappTemplateRow> {
  const row = await findWhatsappTemplate(db, { id, scope })
  if (!row) throw notFound('Template')
  return row
}

async function listEvents(db: Db, { organization_id, id }: WhatsappTemplateRow): Promise<TemplateEvent[]> {
  const rows = await db
    .selectFrom('template_events')
    .select(['at', 'event', 'details'])
    .where('organization_id', '=', organization_id)
    .where('template_id', '=', id)
    // As it came to pass here: providers tell their times in whole seconds.
    .orderBy('id')
    .execute()
  return rows.map(({ at, event, details }) => {
    const words: unknown = Object(details).words
    return { at: at.toISOString(), event, detail: typeof words === 'string' ? words : event }
  })
}

export function presentWhatsappTemplate(row: WhatsappTemplateRow): WhatsappTemplate {
  const { quality, reason, pausedCount, previousCategory, parameterFormat } = row.facts
  return {
    _id: row.id,
    waba_id: row.waba_id,
    name: row.name,
    language: row.language,
    category: row.category,
    parameterFormat,
    components: row.content,
    metaId: row.external_id,
    status: row.status,
    quality,
    ...(reason === undefined ? {} : { reason }),
    ...(row.paused_until ? { pausedUntil: row.paused_until.toISOString() } : {}),
    pausedCount,
    ...(previousCategory === undefined ? {} : { previousCategory }),
    usedCount: row.used_count,
    pendingCampaigns: row.pending_campaigns,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
