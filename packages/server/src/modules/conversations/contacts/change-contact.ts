import type { Channel } from '@carillon/contract/channels'
import { sql } from 'kysely'
import { notifyAfterCommit, type Db } from '../../../db/pool.ts'
import { eventChannel } from '../../../events/domain-events.ts'
import { newId } from '../../../lib/ids.ts'
import { badField, conflict, notFound } from '../../../lib/problem.ts'
import { recordAudit } from '../../audit/index.ts'
import { loadReach, type Member } from '../access/sees.ts'
import { getIdentities, type IdentityRow } from './find-contact.ts'

type Identity = { channel: Channel; identity: string }
type Key = { member: Member; id: string }

/** Names a contact; null shows the name that the channel reports. */
export async function renameContact(db: Db, { member, id, name }: Key & { name: string | null }): Promise<void> {
  const { organizationId } = member
  const identities = await getIdentities(db, await loadReach(db, member), id)
  await (name === null
    ? db.deleteFrom('contacts').where('organization_id', '=', organizationId).where('id', '=', id).execute()
    : db
        .insertInto('contacts')
        .values({ organization_id: organizationId, id, name })
        .onConflict((known) => known.columns(['organization_id', 'id']).doUpdateSet({ name, updated_at: sql`now()` }))
        .execute())
  await show(db, { member, identities })
  await audit(db, { member, id, action: 'renamed' })
}

/** Adds the identities of another contact, which is the same person. */
export async function mergeContacts(db: Db, { member, id, contactId }: Key & { contactId: string }): Promise<void> {
  if (contactId === id) throw badField('contactId', 'Choose another contact: this one cannot be merged with itself')
  const reach = await loadReach(db, member)
  const own = await getIdentities(db, reach, id)
  const others = await getIdentities(db, reach, contactId)
  const moved = await move(db, { member, from: contactId, to: id, chosen: others })
  await record(db, { member, kind: 'merge', from: contactId, to: id, moved })
  await show(db, { member, identities: [...own, ...others], kind: 'contact_merged' })
  await audit(db, { member, id, action: 'merged', details: { contact: contactId } })
}

/** Makes identities a contact of their own. */
export async function splitContact(
  db: Db,
  { member, id, identities }: Key & { identities: readonly Identity[] },
): Promise<void> {
  const own = await getIdentities(db, await loadReach(db, member), id)
  const isOf = (one: Identity) => (other: Identity) => one.channel === other.channel && one.identity === other.identity
  for (const [index, identity] of identities.entries())
    if (!own.some(isOf(identity))) throw badField(`identities.${index}`, 'This identity does not belong to the contact')
  if (own.every((one) => identities.some(isOf(one))))
    throw badField('identities', 'Leave at least one identity with the contact')
  const to = newId()
  const moved = await move(db, { member, from: id, to, chosen: identities })
  await record(db, { member, kind: 'split', from: id, to, moved })
  await show(db, { member, identities: own, kind: 'contact_split' })
  await audit(db, { member, id, action: 'split', details: { contact: to } })
}

/** Moves the identities of a merge or split back. Returns the contact that has them now. */
export async function undoChange(db: Db, { member, id, changeId }: Key & { changeId: string }): Promise<string> {
  const { organizationId, accountId } = member
  await getIdentities(db, await loadReach(db, member), id)
  const change = await db
    .selectFrom('contact_changes')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', changeId)
    .where(({ eb, or }) => or([eb('from_contact_id', '=', id), eb('to_contact_id', '=', id)]))
    .forUpdate()
    .executeTakeFirst()
  if (!change) throw notFound('Change')
  if (change.undone_at !== null) throw conflict('This change was already undone')
  // Written by `record` and the server's own merges only.
  const identities = change.identities as Identity[]
  const { from_contact_id: from, to_contact_id: to, kind } = change
  const moved = await move(db, { member, from: to, to: from, chosen: identities })
  if (moved.length < identities.length)
    throw conflict('Some of these identities were moved again since: undo the later change first')
  await db
    .updateTable('contact_changes')
    .set({ undone_at: sql<Date>`now()`, undone_by: accountId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', changeId)
    .execute()
  await show(db, { member, identities, kind: kind === 'merge' ? 'contact_split' : 'contact_merged' })
  await audit(db, { member, id, action: 'change_undone', details: { change: changeId } })
  return kind === 'split' ? from : (await hasIdentities(db, { organizationId, id: to })) ? to : from
}

async function hasIdentities(db: Db, { organizationId, id }: { organizationId: string; id: string }): Promise<boolean> {
  const found = await db
    .selectFrom('contact_identities')
    .select('identity')
    .where('organization_id', '=', organizationId)
    .where('contact_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

type Move = { member: Member; from: string; to: string; chosen: readonly Identity[] }

async function move(db: Db, { member, from, to, chosen }: Move): Promise<Identity[]> {
  const { rows } = await sql<{ moved: Identity[] }>`
    select move_identities(${member.organizationId}::uuid, ${from}::uuid, ${to}::uuid, ${toJson(chosen)}::jsonb) as moved`.execute(
    db,
  )
  return rows[0]?.moved ?? []
}

function toJson(identities: readonly Identity[]): string {
  return JSON.stringify(identities.map(({ channel, identity }) => ({ channel, identity })))
}

type Recorded = { member: Member; kind: 'merge' | 'split'; from: string; to: string; moved: readonly Identity[] }

/** Two who move the same identities at once: the second finds none. */
async function record(db: Db, { member, kind, from, to, moved }: Recorded): Promise<void> {
  if (moved.length === 0) throw conflict('A colleague changed this contact: open it again')
  await db
    .insertInto('contact_changes')
    .values({
      organization_id: member.organizationId,
      id: newId(),
      kind,
      from_contact_id: from,
      to_contact_id: to,
      identities: toJson(moved),
      actor_id: member.accountId,
    })
    .execute()
}

type Shown = {
  member: Member
  identities: readonly (Identity | IdentityRow)[]
  kind?: 'contact_merged' | 'contact_split'
}

async function show(db: Db, { member, identities, kind }: Shown): Promise<void> {
  const { organizationId, accountId, impersonatedBy } = member
  await sql`
    select show_contact(${organizationId}::uuid, ${toJson(identities)}::jsonb, ${kind ?? null}, ${accountId}::uuid,
      ${impersonatedBy ?? null}::uuid, '{}')`.execute(db)
  notifyAfterCommit(db, eventChannel)
}

type Audited = { member: Member; id: string; action: string; details?: Record<string, string> }

async function audit(db: Db, { member, id, action, details = {} }: Audited): Promise<void> {
  const { impersonatedBy, accountId, organizationId } = member
  await recordAudit(db, {
    organizationId,
    ...(impersonatedBy ? { actorId: impersonatedBy, subjectId: accountId } : { actorId: accountId }),
    action: `contact.${action}`,
    object: { type: 'contact', id },
    details,
  })
}
