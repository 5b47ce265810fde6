import type { ConversationChange } from '@carillon/contract/conversations'
import { sql } from 'kysely'
import type { Db } from '../../../db/pool.ts'
import { badField, notFound, Problem } from '../../../lib/problem.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import { loadReach, sees, type Member, type Reach } from '../access/sees.ts'
import { assertMayAssign, assigneeDetails, findTaken, nameOf } from './assign.ts'
import { auditChange, auditMember } from './audit-change.ts'
import { planChange, type Plan } from './change-rules.ts'
import { notifyAssignee } from './notify-members.ts'
import { addEvents, addFacts, announceItems, type NewEvent } from './record-changes.ts'
import { scheduleWaking } from './wake.ts'

export type Changing = {
  member: Member
  id: string
  change: ConversationChange
  /** The revision that the member saw. */
  revision?: number | undefined
}

/** Changes a conversation; of two members who change it at once, the second gets an error that names the first. */
export async function changeConversation(db: Db, { member, id, change, revision }: Changing): Promise<void> {
  const conversation = await lockToChange(db, { reach: await loadReach(db, member), id, change })
  await assertUnchanged(db, conversation, { member, revision })
  const { assigneeId, teamId } = change
  if (assigneeId !== undefined && assigneeId !== conversation.assignee_id)
    await assertMayAssign(db, conversation, { member, assigneeId })
  const team = teamId ? await getTeamName(db, { organizationId: member.organizationId, id: teamId }) : undefined
  const plan = planChange(conversation, change, { accountId: member.accountId, now: new Date() })
  if (Object.keys(plan.set).length === 0) return
  await applyPlan(db, conversation, { member, plan, team })
}

type Applying = { member: Member; plan: Plan; team: string | undefined }

async function applyPlan(db: Db, conversation: ConversationRow, { member, plan, team }: Applying): Promise<void> {
  const changed = await db
    .updateTable('conversations')
    .set(plan.set)
    .where('organization_id', '=', conversation.organization_id)
    .where('id', '=', conversation.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const events = await Promise.all(plan.events.map((event) => withNames(db, event, { ...member, team })))
  const itemIds = await addEvents(db, changed, { actor: member, events })
  await addFacts(db, changed, plan.facts)
  await announceItems(db, changed, itemIds)
  await scheduleWaking(db, changed)
  await auditChange(db, { member, conversation: changed, events })
  const isMark = plan.events.length === 0 && plan.set.unread !== undefined
  if (isMark && member.impersonatedBy !== undefined)
    await auditMember(db, { member, conversation: changed, action: plan.set.unread === 0 ? 'read' : 'marked_unread' })
  if ('assignee_id' in plan.set) await notifyAssignee(db, changed, member)
}

/** The names that the thread shows, as they are now. */
async function withNames(
  db: Db,
  event: NewEvent,
  { organizationId, team }: { organizationId: string; team: string | undefined },
): Promise<NewEvent> {
  const assigneeId = event.details?.['assigneeId']
  if (typeof assigneeId === 'string')
    return { ...event, details: await assigneeDetails(db, organizationId, assigneeId) }
  return event.kind === 'team_assigned' && team !== undefined
    ? { ...event, details: { ...event.details, team } }
    : event
}

type Wanted = { reach: Reach; id: string; change: Pick<ConversationChange, 'assigneeId'> }

/** A conversation that a member sees, or one that a colleague took at the same moment, which is an error of its own. */
async function lockToChange(db: Db, { reach, id, change }: Wanted): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations as conversation')
    .selectAll()
    .select(sees(reach).as('isSeen'))
    .where('organization_id', '=', reach.organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row?.isSeen) return row
  throw (row && (await findTaken(db, row, { reach, assigneeId: change.assigneeId }))) ?? notFound('Conversation')
}

/** Messages that arrived meanwhile are no conflict; changes by colleagues are. */
async function assertUnchanged(
  db: Db,
  { organization_id, id, revision: current }: ConversationRow,
  { member, revision }: Pick<Changing, 'member' | 'revision'>,
): Promise<void> {
  if (revision === undefined || revision === current) return
  const change = await db
    .selectFrom('conversation_events')
    .select('actor_id')
    .where('organization_id', '=', organization_id)
    .where('conversation_id', '=', id)
    .where('revision', '>', revision)
    .where(sql<boolean>`actor_id is distinct from ${member.accountId}::uuid`)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!change) return
  const message = `${await nameOf(db, organization_id, change.actor_id)} changed this conversation`
  throw new Problem('conflict', message, { details: [{ field: 'revision', message }] })
}

async function getTeamName(db: Db, { organizationId, id }: { organizationId: string; id: string }): Promise<string> {
  const team = await db
    .selectFrom('teams')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!team) throw badField('teamId', 'Choose a team of your organisation')
  return team.name
}
