import type { Channel } from '@carillon/contract/channels'
import { getChannel, getLineRules } from '../../channels/index.ts'
import type { Db } from '../../db/pool.ts'
import type { UserActor } from '../../actor.ts'
import { conflict } from '../../lib/problem.ts'
import { recordAudit, whoActs } from '../audit/index.ts'
import type { LineRow } from './lines.ts'

type Switch = {
  actor: UserActor
  sender: { organization_id: string; id: string; channel: Channel; name: string; is_active: boolean }
  isActive: boolean
}

/** On: a sender process can claim its lane. Off: nothing new is sent, and its connections are closed. */
export async function activateSender(db: Db, { actor, sender, isActive }: Switch): Promise<void> {
  const { organization_id, id, channel, name } = sender
  if (sender.is_active === isActive) return
  await db
    .updateTable('senders')
    .set({ is_active: isActive })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
  const { audited } = getChannel(channel).accounts
  await recordAudit(db, {
    organizationId: organization_id,
    ...whoActs(actor),
    action: `${audited.sender}.${isActive ? 'activated' : 'deactivated'}`,
    object: { type: audited.sender, id },
    details: { name },
  })
}

/** A line can be activated once its provider allows it to send. */
export async function activateLine(
  db: Db,
  { actor, line, isActive }: { actor: UserActor; line: LineRow; isActive: boolean },
): Promise<void> {
  const { facts, registered_at } = line
  const obstacle = getLineRules(line.channel).findObstacle({
    isRegistered: registered_at !== null,
    status: facts.status,
  })
  if (isActive && obstacle) throw conflict(obstacle)
  await activateSender(db, { actor, sender: { ...line, name: facts.displayNumber }, isActive })
}
