import {
  SmsCategory,
  SmsTemplateStatus,
  type SmsTemplate,
  type SmsTemplateInput,
  type templateEndpoints,
} from '@carillon/contract/channels/sms/sms-templates'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { UserActor } from '../../../actor.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import {
  createTemplate,
  deleteTemplate,
  findTemplate,
  getTemplateSender,
  listTemplates,
  updateTemplate,
  type TemplateRow,
} from '../../../modules/templates/index.ts'
import { buildSmsContent } from '../build-content.ts'
import { SmsContent } from '../template-content.ts'

const channel = 'sms'

export const smsTemplateHandlers: Handlers<typeof templateEndpoints> = {
  'smsTemplates.list': async ({ db, actor, input }) => {
    const { page, limit, smsAccountId, search = '', category, encoding, status } = input.query
    const { rows, total } = await listTemplates(db, {
      scope: actor.scope,
      channel,
      senderId: smsAccountId,
      category,
      status,
      content: { encoding },
      search: { words: search, contentFields: ['body', 'dltTemplateId'] },
      page,
      limit,
    })
    return { templates: rows.map(presentTemplate), total, totalPages: Math.max(1, Math.ceil(total / limit)), page }
  },
  'smsTemplates.get': async ({ db, actor, input }) =>
    presentTemplate(await getTemplate(db, { id: input.path.id, scope: actor.scope })),
  'smsTemplates.create': async ({ db, actor, input }) => {
    const sender = await getTemplateSender(db, { scope: actor.scope, channel, id: input.body.smsAccountId })
    const id = await createTemplate(db, { actor, sender, input: withContent(input.body, sender.headers) })
    return presentTemplate(await getTemplate(db, { id, scope: actor.scope }))
  },
  'smsTemplates.update': async ({ db, actor, input }) => {
    const id = await change(db, actor, input.body)
    return presentTemplate(await getTemplate(db, { id, scope: actor.scope }))
  },
  'smsTemplates.delete': async ({ db, actor, input }) => {
    const template = await getTemplate(db, { id: input.path.id, scope: actor.scope })
    await deleteTemplate(db, { actor, template })
    return {}
  },
}

async function getTemplate(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<TemplateRow> {
  const template = await findTemplate(db, { id, scope, channel })
  if (!template) throw notFound('Template')
  return template
}

async function change(db: Db, actor: UserActor, body: SmsTemplateInput & { id: string }): Promise<string> {
  const { scope } = actor
  const template = await getTemplate(db, { id: body.id, scope })
  const sender = await getTemplateSender(db, { scope, channel, id: body.smsAccountId, of: template })
  const input = withContent(body, sender.headers)
  const changed = listChanges(template, { ...body, ...input.content })
  await updateTemplate(db, { actor, template, sender, input, changed })
  return template.id
}

function withContent(input: SmsTemplateInput, headers: readonly string[]) {
  const { name, status, category, language } = input
  return { name, status, category, language, content: buildSmsContent(input, headers) }
}

function listChanges(before: TemplateRow, after: SmsTemplateInput): string[] {
  const old = {
    ...SmsContent.parse(before.content),
    name: before.name,
    category: before.category,
    language: before.language,
    status: before.status,
    smsAccountId: before.sender_id,
  }
  const fields = [
    'name',
    'smsAccountId',
    'header',
    'category',
    'language',
    'body',
    'entityId',
    'dltTemplateId',
    'status',
  ] as const
  return fields.filter((field) => old[field] !== after[field])
}

function presentTemplate(row: TemplateRow): SmsTemplate {
  return {
    ...SmsContent.parse(row.content),
    _id: row.id,
    smsAccountId: row.sender_id ?? '',
    accountName: row.sender_name ?? '',
    name: row.name,
    category: SmsCategory.parse(row.category),
    language: row.language,
    status: SmsTemplateStatus.parse(row.status),
    usedCount: row.used_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
