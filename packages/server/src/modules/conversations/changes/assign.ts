import type { Db } from '../../../db/pool.ts'
import { badField, Problem } from '../../../lib/problem.ts'
import { couldSee, findAnswering, reachOf } from '../access/find-members.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Member, Reach } from '../access/sees.ts'
import { readMemberNames } from '../thread/references.ts'

/**
 * Throws if a member may not give a conversation to this assignee. Users take unassigned conversations and hand over what they hold;
 * managers and department heads assign whatever they see. The assignee must be able to see conversations of the line.
 */
export async function assertMayAssign(
  db: Db,
  conversation: ConversationRow,
  { member, assigneeId }: { member: Member; assigneeId: string | null },
): Promise<void> {
  const holds = conversation.assignee_id === member.accountId
  if (member.role === 'user' && !holds && assigneeId !== member.accountId)
    throw new Problem('forbidden', 'Take the conversation first, then you can hand it over')
  if (assigneeId === null) return
  const [assignee] = await findAnswering(db, { organizationId: member.organizationId, ids: [assigneeId] })
  if (!assignee) throw badField('assigneeId', 'Choose a member who can answer conversations')
  const reach = await reachOf(db, member.organizationId, assignee)
  if (!couldSee(reach, conversation)) throw badField('assigneeId', `${assignee.name} does not answer this line`)
}

/** The error for a member who takes what a colleague just took; undefined if they could not have taken it. */
export async function findTaken(
  db: Db,
  conversation: ConversationRow,
  { reach, assigneeId }: { reach: Reach; assigneeId: string | null | undefined },
): Promise<Problem | undefined> {
  const takes = assigneeId === reach.accountId && conversation.assignee_id !== null
  if (!takes || !couldSee(reach, conversation)) return undefined
  const message = `${await nameOf(db, conversation.organization_id, conversation.assignee_id)} took this conversation`
  return new Problem('conflict', message, { details: [{ field: 'assigneeId', message }] })
}

/** The new assignee as an event shows it. */
export async function assigneeDetails(
  db: Db,
  organizationId: string,
  assigneeId: string,
): Promise<{ assigneeId: string; assignee: string }> {
  return { assigneeId, assignee: await nameOf(db, organizationId, assigneeId) }
}

/** The name of a member, or of an account above that acts as one. */
export async function nameOf(db: Db, organizationId: string, accountId: string | null): Promise<string> {
  if (accountId === null) return 'The server'
  return (await readMemberNames(db, organizationId, [accountId])).get(accountId) ?? 'A former member'
}
