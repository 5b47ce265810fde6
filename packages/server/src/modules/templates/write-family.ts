import { maximumTemplateFamilies, type TemplateFamilyInput } from '@carillon/contract/template-families'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { UserActor } from '../../actor.ts'
import { canBeInFamily, getChannel } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import { refuseDuplicate } from '../../db/refuse-duplicate.ts'
import { ofOrganization } from '../../db/scope.ts'
import { newId } from '../../lib/ids.ts'
import { badField, conflict, notFound } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'

type FamilyInput = z.output<typeof TemplateFamilyInput>
type FamilyKey = { organization_id: string; id: string }

export async function createFamily(db: Db, actor: UserActor, input: FamilyInput): Promise<string> {
  await assertOwnTemplates(db, actor, input)
  await assertRoom(db, actor)
  const family = { organization_id: actor.organizationId, id: newId() }
  await refuseDuplicate(
    db
      .insertInto('template_families')
      .values({ ...family, name: input.name, text: input.text, created_by: actor.accountId })
      .execute(),
    nameTaken(),
  )
  await setRenditions(db, family, input)
  await record(db, actor, { family, event: 'created', name: input.name })
  return family.id
}

export async function updateFamily(
  db: Db,
  actor: UserActor,
  { id, input }: { id: string; input: FamilyInput },
): Promise<void> {
  const family = await lockFamily(db, actor, id)
  await assertOwnTemplates(db, actor, input)
  await refuseDuplicate(
    db
      .updateTable('template_families')
      .set({ name: input.name, text: input.text, updated_at: new Date() })
      .where('organization_id', '=', family.organization_id)
      .where('id', '=', id)
      .execute(),
    nameTaken(),
  )
  await db
    .deleteFrom('family_renditions')
    .where('organization_id', '=', family.organization_id)
    .where('family_id', '=', id)
    .execute()
  await setRenditions(db, family, input)
  await record(db, actor, { family, event: 'updated', name: input.name })
}

/** Its templates stay. */
export async function deleteFamily(db: Db, actor: UserActor, id: string): Promise<void> {
  const family = await lockFamily(db, actor, id)
  await db
    .deleteFrom('template_families')
    .where('organization_id', '=', family.organization_id)
    .where('id', '=', id)
    .execute()
  await record(db, actor, { family, event: 'deleted', name: family.name })
}

/** For templates whose rows stay when they are deleted. */
export async function removeFromFamilies(
  db: Db,
  { organizationId, templateIds }: { organizationId: string; templateIds: readonly string[] },
): Promise<void> {
  if (templateIds.length === 0) return
  await db
    .deleteFrom('family_renditions')
    .where('organization_id', '=', organizationId)
    .where('template_id', 'in', templateIds)
    .execute()
}

async function lockFamily(db: Db, { scope }: UserActor, id: string): Promise<FamilyKey & { name: string }> {
  const family = await db
    .selectFrom('template_families')
    .select(['organization_id', 'id', 'name'])
    .where(ofOrganization(scope))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!family) throw notFound('Template family')
  return family
}

/** Each template must belong to the organisation and to the channel of its rendition. */
async function assertOwnTemplates(db: Db, { scope }: UserActor, { renditions }: FamilyInput): Promise<void> {
  const ids = renditions.map(({ templateId }) => templateId)
  const found = await db
    .selectFrom('templates')
    .select(['id', 'channel'])
    .where(ofOrganization(scope))
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    // Until the end of the transaction they cannot be deleted.
    .forShare()
    .execute()
  renditions.forEach(({ channel, templateId }, index) => {
    const field = `renditions.${index}.templateId`
    const template = found.find(({ id }) => id === templateId)
    if (!canBeInFamily(channel))
      throw badField(`renditions.${index}.channel`, 'Templates of this channel cannot be in a family')
    if (!template) throw badField(field, 'This template was not found: choose another')
    if (template.channel !== channel) throw badField(field, `Choose a template for ${getChannel(channel).label}`)
  })
}

async function assertRoom(db: Db, { organizationId }: UserActor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`template families ${organizationId}`}, 0))`.execute(db)
  const { count } = await db
    .selectFrom('template_families')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (count >= maximumTemplateFamilies)
    throw conflict(`You can have ${maximumTemplateFamilies} template families. Delete one you no longer need.`)
}

async function setRenditions(db: Db, { organization_id, id }: FamilyKey, { renditions }: FamilyInput): Promise<void> {
  await db
    .insertInto('family_renditions')
    .values(
      renditions.map(({ channel, templateId, followsText }) => ({
        organization_id,
        family_id: id,
        channel,
        template_id: templateId,
        follows_text: followsText,
      })),
    )
    .execute()
}

const nameTaken = () => badField('name', 'Another template family has this name')

type Recorded = { family: FamilyKey; event: 'created' | 'updated' | 'deleted'; name: string }

async function record(db: Db, actor: UserActor, { family, event, name }: Recorded): Promise<void> {
  await recordAudit(db, {
    organizationId: family.organization_id,
    ...whoActs(actor),
    action: `template_family.${event}`,
    object: { type: 'template_family', id: family.id },
    details: { name },
  })
}
