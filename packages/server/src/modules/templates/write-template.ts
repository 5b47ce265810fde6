import type { Channel } from '@carillon/contract/channels'
import type { Selectable } from 'kysely'
import { getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { refuseDuplicate } from '../../db/refuse-duplicate.ts'
import type { Senders } from '../../db/schema.ts'
import type { Scope } from '../../db/scope.ts'
import type { UserActor } from '../../actor.ts'
import { newId } from '../../lib/ids.ts'
import { badField, notFound, type Problem } from '../../lib/problem.ts'
import { assertWithinLimits } from '../accounts/index.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import { freeFromCampaigns } from '../senders/index.ts'
import { ofOrganizationsInScope, type TemplateRow } from './templates.queries.ts'
import { removeFromFamilies } from './write-family.ts'

/** A template of a sender. Its content was validated by the channel's rules. */
export type TemplateInput = { name: string; status: string; category: string; language: string; content: object }

export type TemplateSender = Pick<Selectable<Senders>, 'organization_id' | 'id' | 'channel' | 'headers'>

type WhichSender = {
  scope: Scope
  channel: Channel
  id: string
  /** An existing template; it stays in its organisation. */
  of?: TemplateRow
}

export async function getTemplateSender(db: Db, { scope, channel, id, of }: WhichSender): Promise<TemplateSender> {
  const sender = await db
    .selectFrom('senders')
    .select(['organization_id', 'id', 'channel', 'headers'])
    .where('id', '=', id)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .where(ofOrganizationsInScope(scope))
    .executeTakeFirst()
  const isElsewhere = of !== undefined && sender?.organization_id !== of.organization_id
  if (!sender || isElsewhere) throw notFound(getChannel(channel).accounts.name)
  return sender
}

export async function createTemplate(
  db: Db,
  { actor, sender, input }: { actor: UserActor; sender: TemplateSender; input: TemplateInput },
): Promise<string> {
  await assertWithinLimits(db, actor.scope.path, { templates: 1 })
  const id = newId()
  await refuseDuplicate(
    db
      .insertInto('templates')
      .values({
        organization_id: sender.organization_id,
        id,
        channel: sender.channel,
        created_by: actor.accountId,
        ...columnsOf(sender, input),
      })
      .execute(),
    nameTaken(sender),
  )
  await record(db, { actor, template: { organization_id: sender.organization_id, id }, event: 'created', changed: [] })
  return id
}

type TemplateUpdate = {
  actor: UserActor
  template: TemplateRow
  sender: TemplateSender
  input: TemplateInput
  /** The changed fields, for the audit log. */
  changed: readonly string[]
}

/** Validated campaigns have a copy of what they send, so a change does not affect them. */
export async function updateTemplate(
  db: Db,
  { actor, template, sender, input, changed }: TemplateUpdate,
): Promise<void> {
  await refuseDuplicate(
    db
      .updateTable('templates')
      .set({ ...columnsOf(sender, input), updated_at: new Date() })
      .where('organization_id', '=', template.organization_id)
      .where('id', '=', template.id)
      .execute(),
    nameTaken(sender),
  )
  await record(db, { actor, template, event: template.status === input.status ? 'updated' : input.status, changed })
}

function columnsOf({ id }: TemplateSender, { name, status, category, language, content }: TemplateInput) {
  return { sender_id: id, name, status, category, language, content: JSON.stringify(content) }
}

/** The row stays for the names of sent messages; its name can be used again. Template families lose it. */
export async function deleteTemplate(
  db: Db,
  { actor, template }: { actor: UserActor; template: TemplateRow },
): Promise<void> {
  const { organization_id: organizationId, id, name } = template
  await freeFromCampaigns(db, { scope: actor.scope, organizationId, name, senderIds: [], templateIds: [id] })
  await db
    .updateTable('templates')
    .set({ deleted_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await removeFromFamilies(db, { organizationId, templateIds: [id] })
  await record(db, { actor, template, event: 'deleted', changed: [] })
}

function nameTaken({ channel }: TemplateSender): Problem {
  return badField('name', `This ${getChannel(channel).accounts.name} already has a template of that name`)
}

type Written = {
  actor: UserActor
  template: { organization_id: string; id: string }
  event: string
  changed: readonly string[]
}

async function record(db: Db, { actor, template, event, changed }: Written): Promise<void> {
  const { organization_id, id } = template
  await db
    .insertInto('template_events')
    .values({
      organization_id,
      id: newId(),
      template_id: id,
      actor_id: actor.accountId,
      event,
      details: JSON.stringify(changed.length > 0 ? { changed } : {}),
    })
    .execute()
  await recordAudit(db, {
    organizationId: organization_id,
    ...whoActs(actor),
    action: `template.${event}`,
    object: { type: 'template', id },
    details: changed.length > 0 ? { changed: changed.join(', ') } : {},
  })
}
