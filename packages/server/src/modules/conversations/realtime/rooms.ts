import type { Reach } from '../access/sees.ts'

/** Who may see a conversation. */
export type Visibility = {
  organizationId: string
  senderId: string
  teamId: string | null
  assigneeId: string | null
  /** Ids of the assignee and the accounts above. */
  assigneePath: string[]
}

/** The rooms of a member. A conversation's rooms are those of the members who see it by `sees`. */
export function roomsOfMember(reach: Reach): string[] {
  const { organizationId, accountId, role, teamIds, lineIds, teamLineIds } = reach
  const own = `account:${accountId}`
  if (role === 'manager') return [`organization:${organizationId}`, own]
  return [
    `members:${organizationId}`,
    own,
    ...(lineIds ?? [organizationId]).map((id) => `unassigned:${id}`),
    ...teamIds.map((id) => `unassigned:${id}`),
    ...(role === 'department_head' ? [`below:${accountId}`, ...[...teamIds, ...teamLineIds].map(led)] : []),
  ]
}

const led = (id: string) => `led:${id}`

export function roomsOfConversation(conversation: Visibility): string[] {
  const { organizationId, senderId, teamId, assigneeId, assigneePath } = conversation
  const places = [senderId, ...(teamId === null ? [] : [teamId])]
  return [
    `organization:${organizationId}`,
    ...places.map(led),
    ...(assigneeId === null
      ? [organizationId, ...places].map((id) => `unassigned:${id}`)
      : [`account:${assigneeId}`, ...assigneePath.map((id) => `below:${id}`)]),
  ]
}

/** All members besides managers; some of them may not see the conversation any more. */
export const membersRoom = (organizationId: string) => `members:${organizationId}`
