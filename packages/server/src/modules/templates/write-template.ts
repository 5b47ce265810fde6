import type { SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, notFound } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { freeFromCampaigns } from '../senders/index.ts'
import { SmsContent } from '../../channels/sms/template-content.ts'
import { buildSmsContent } from '../../channels/sms/build-content.ts'
import { findTemplate, ofOrganizationsInScope, type TemplateRow } from './templates.queries.ts'

export async function createTemplate(
  db: Db,
  { actor, input }: { actor: UserActor; input: SmsTemplateInput },
): Promise<string> {
  const account = await getAccount(db, actor, input.smsAccountId)
  const content = buildSmsContent(input, account.headers)
  await assertWithinLimits(db, actor.scope.path, { templates: 1 })
  const id = newId()
  const named = { organization_id: account.organization_id, id, sender_id: account.id, name: input.name }
  await refuseSecondName(
    db
      .insertInto('templates')
      .values({
        ...named,
        channel: 'sms',
        status: input.status,
        category: input.category,
        language: input.language,
        content: JSON.stringify(content),
        created_by: actor.accountId,
      })
      .execute(),
  )
  await record(db, { actor, organizationId: account.organization_id, templateId: id, event: 'created', changed: [] })
  return id
}

/** Campaigns that were validated carry a copy of what they send, so a change never reaches them. */
export async function updateTemplate(
  db: Db,
  { actor, input }: { actor: UserActor; input: SmsTemplateInput & { id: string } },
): Promise<string> {
  const template = await findTemplate(db, { id: input.id, scope: actor.scope })
  if (!template) throw notFound('Template')
  const account = await getAccount(db, actor, input.smsAccountId)
  if (account.organization_id !== template.organization_id) throw notFound('SMS account')

  const content = buildSmsContent(input, account.headers)
  const changed = listChanges(template, { ...input, ...content })
  await refuseSecondName(
    db
      .updateTable('templates')
      .set({
        sender_id: account.id,
        name: input.name,
        status: input.status,
        category: input.category,
        language: input.language,
        content: JSON.stringify(content),
        updated_at: new Date(),
      })
      .where('organization_id', '=', template.organization_id)
      .where('id', '=', template.id)
      .execute(),
  )
  await record(db, {
    actor,
    organizationId: template.organization_id,
    templateId: template.id,
    event: template.status === input.status ? 'updated' : input.status,
    changed,
  })
  return template.id
}

/** Its row stays for the names of what was sent; its own name is free again. */
export async function deleteTemplate(db: Db, { actor, id }: { actor: UserActor; id: string }): Promise<void> {
  const template = await findTemplate(db, { id, scope: actor.scope })
  if (!template) throw notFound('Template')
  const { organization_id: organizationId, name } = template
  await freeFromCampaigns(db, { scope: actor.scope, organizationId, name, senderIds: [], templateIds: [id] })
  await db
    .updateTable('templates')
    .set({ deleted_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await record(db, { actor, organizationId, templateId: id, event: 'deleted', changed: [] })
}

async function getAccount(db: Db, { scope }: UserActor, id: string) {
  const account = await db
    .selectFrom('senders')
    .select(['organization_id', 'id', 'headers'])
    .where('id', '=', id)
    .where('channel', '=', 'sms')
    .where('deleted_at', 'is', null)
    .where(ofOrganizationsInScope(scope))
    .executeTakeFirst()
  if (!account) throw notFound('SMS account')
  return account
}

async function refuseSecondName(writing: Promise<unknown>) {
  try {
    await writing
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505')
      throw badField('name', 'This SMS account already has a template of that name')
    throw error
  }
}

function listChanges(before: TemplateRow, after: SmsTemplateInput): string[] {
  const content = SmsContent.parse(before.content)
  const old = {
    ...content,
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

type TemplateChangeEvent = {
  actor: UserActor
  organizationId: string
  templateId: string
  event: string
  changed: string[]
}

async function record(db: Db, { actor, organizationId, templateId, event, changed }: TemplateChangeEvent) {
  await db
    .insertInto('template_events')
    .values({
      organization_id: organizationId,
      id: newId(),
      template_id: templateId,
      actor_id: actor.accountId,
      event,
      details: JSON.stringify(changed.length > 0 ? { changed } : {}),
    })
    .execute()
  await recordAudit(db, {
    organizationId,
    ...whoActs(actor),
    action: `template.${event}`,
    object: { type: 'template', id: templateId },
    details: changed.length > 0 ? { changed: changed.join(', ') } : {},
  })
}
