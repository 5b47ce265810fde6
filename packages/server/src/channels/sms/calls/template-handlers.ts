import {
  SmsCategory,
  SmsTemplateStatus,
  type SmsTemplate,
  type templateEndpoints,
} from '@carillon/contract/channels/sms/sms-templates'
import type { Db } from '../../../db/pool.ts'
import type { Scope } from '../../../db/scope.ts'
import type { Handlers } from '../../../http/handlers.ts'
import { notFound } from '../../../lib/problem.ts'
import { SmsContent } from '../template-content.ts'
import { findTemplate, listTemplates, type TemplateRow } from '../../../modules/templates/templates.queries.ts'
import { createTemplate, deleteTemplate, updateTemplate } from '../../../modules/templates/write-template.ts'

export const templateHandlers: Handlers<typeof templateEndpoints> = {
  'smsTemplates.list': async ({ db, actor, input }) => {
    const { page, limit } = input.query
    const { rows, total } = await listTemplates(db, { ...input.query, scope: actor.scope })
    return { templates: rows.map(presentTemplate), total, totalPages: Math.max(1, Math.ceil(total / limit)), page }
  },
  'smsTemplates.get': async ({ db, actor, input }) => getTemplate(db, { id: input.path.id, scope: actor.scope }),
  'smsTemplates.create': async ({ db, actor, input }) =>
    getTemplate(db, { id: await createTemplate(db, { actor, input: input.body }), scope: actor.scope }),
  'smsTemplates.update': async ({ db, actor, input }) =>
    getTemplate(db, { id: await updateTemplate(db, { actor, input: input.body }), scope: actor.scope }),
  'smsTemplates.delete': async ({ db, actor, input }) => {
    await deleteTemplate(db, { actor, id: input.path.id })
    return {}
  },
}

async function getTemplate(db: Db, { id, scope }: { id: string; scope: Scope }): Promise<SmsTemplate> {
  const template = await findTemplate(db, { id, scope })
  if (!template) throw notFound('Template')
  return presentTemplate(template)
}

export function presentTemplate(row: TemplateRow): SmsTemplate {
  return {
    ...SmsContent.parse(row.content),
    _id: row.id,
    smsAccountId: row.sender_id ?? '',
    accountName: row.account_name ?? '',
    name: row.name,
    category: SmsCategory.parse(row.category),
    language: row.language,
    status: SmsTemplateStatus.parse(row.status),
    usedCount: row.used_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
