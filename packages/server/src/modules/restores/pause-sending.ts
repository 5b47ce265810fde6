import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { notify } from '../notifications/index.ts'
import type { RestoreReason } from './detect-restore.ts'
import { setPaused } from './installation.queries.ts'
import { explainPause } from './restore-messages.ts'

/** Pauses sending for every organisation and notifies the admins. False if it was already paused. */
export async function pauseSending(db: Db, reason: RestoreReason): Promise<boolean> {
  if (!(await setPaused(db, reason))) return false
  const admins = await db
    .selectFrom('accounts')
    .select(['id', 'organization_id as organizationId'])
    .where('role', '=', 'admin')
    .where('status', '!=', 'closed')
    .execute()
  for (const { organizationId } of admins)
    await recordAudit(db, { organizationId, actorId: undefined, action: 'sending.paused', details: { reason } })
  const eventKey = `sending_paused:${newId()}`
  await notify(
    db,
    admins.map(({ id, organizationId }) => ({
      organizationId,
      accountId: id,
      kind: 'sending_paused' as const,
      title: 'Sending is paused',
      description: `${explainPause(reason)}. Nothing is sent until an admin resumes sending.`,
      link: { type: 'sending' as const, id: 'sending' },
      eventKey,
    })),
  )
  return true
}
