import type { Db } from '../../../db/pool.ts'
import { recordAudit } from '../../audit/index.ts'
import type { ConversationRow } from '../access/lock-conversation.ts'
import type { Member } from '../access/sees.ts'
import type { NewEvent } from './record-changes.ts'

type Change = { member: Member; conversation: Pick<ConversationRow, 'id'>; events: readonly Pick<NewEvent, 'kind'>[] }

const audited: readonly NewEvent['kind'][] = ['blocked', 'unblocked']

/** Blocks are audited, and all that an account does in the name of another. The thread shows the rest. */
export async function auditChange(db: Db, { member, conversation, events }: Change): Promise<void> {
  for (const { kind } of events)
    if (member.impersonatedBy !== undefined || audited.includes(kind))
      await auditMember(db, { member, conversation, action: kind })
}

/** An action of a member on a conversation, with both names if it is impersonated. */
export async function auditMember(
  db: Db,
  { member, conversation, action }: Omit<Change, 'events'> & { action: string },
): Promise<void> {
  const { impersonatedBy, accountId, organizationId } = member
  await recordAudit(db, {
    organizationId,
    ...(impersonatedBy ? { actorId: impersonatedBy, subjectId: accountId } : { actorId: accountId }),
    action: `conversation.${action}`,
    object: { type: 'conversation', id: conversation.id },
  })
}
