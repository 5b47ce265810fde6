import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { LineRow } from './provider-accounts.ts'

/** On: a sender process can claim its lane. Off: nothing new is sent, and its connections are closed. */
export async function switchLine(
  db: Db,
  { actor, line, isActive }: { actor: UserActor; line: LineRow; isActive: boolean },
): Promise<void> {
  if (isActive && !line.registered_at)
    throw conflict('The number is not registered yet: register it with its PIN first')
  if (isActive && line.facts.status === 'DELETED') throw conflict('The account no longer has this number')
  if (line.is_active === isActive) return
  await db
    .updateTable('senders')
    .set({ is_active: isActive })
    .where('organization_id', '=', line.organization_id)
    .where('id', '=', line.id)
    .execute()
  await recordAudit(db, {
    organizationId: line.organization_id,
    ...whoActs(actor),
    action: isActive ? 'whatsapp_number.activated' : 'whatsapp_number.deactivated',
    object: { type: 'whatsapp_number', id: line.id },
    details: { name: line.facts.displayNumber },
  })
}
