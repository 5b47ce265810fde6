import type { BotTester } from '@carillon/contract/channels/rcs/rcs-bots'
import type { BotDetails, PartialBotDetails } from '@carillon/contract/channels/rcs/rcs-bot-details'
import type { Db } from '../../../db/pool.ts'
import { recordAudit, whoActs } from '../../../modules/audit/index.ts'
import type { UserActor } from '../../../actor.ts'

type Key = { organizationId: string; id: string }

export async function insertRequest(
  db: Db,
  { organizationId, id, accountId, details }: Key & { accountId: string; details: BotDetails },
): Promise<void> {
  await db
    .insertInto('rcs_bots')
    .values({
      organization_id: organizationId,
      id,
      state: 'requested',
      details: JSON.stringify(details),
      requested_by: accountId,
    })
    .execute()
}

/** A bot that was not requested, or the answer to a request. */
export async function saveCreated(
  db: Db,
  { organizationId, id, details }: Key & { details: PartialBotDetails },
): Promise<void> {
  const columns = { state: 'created', details: JSON.stringify(details), reason: null, decided_at: new Date() }
  await db
    .insertInto('rcs_bots')
    .values({ organization_id: organizationId, id, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'id']).doUpdateSet({ ...columns, updated_at: new Date() }),
    )
    .execute()
}

type Change = {
  state?: 'requested' | 'rejected'
  details?: PartialBotDetails
  testers?: BotTester[]
  reason?: string | null
  decided_at?: Date | null
}

export async function changeBotRow(db: Db, { organizationId, id }: Key, change: Change): Promise<void> {
  const { details, testers, ...columns } = change
  await db
    .updateTable('rcs_bots')
    .set({
      ...columns,
      ...(details ? { details: JSON.stringify(details) } : {}),
      ...(testers ? { testers: JSON.stringify(testers) } : {}),
      updated_at: new Date(),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteRequest(db: Db, { organizationId, id }: Key): Promise<void> {
  await db
    .deleteFrom('rcs_bots')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '<>', 'created')
    .execute()
}

type Event = {
  actor: UserActor
  bot: Key
  event:
    | 'requested'
    | 'withdrawn'
    | 'rejected'
    | 'verification_requested'
    | 'launch_requested'
    | 'tester_added'
    | 'tester_removed'
    | 'webhook_shown'
    | 'decided'
    | 'changed'
  details?: Record<string, string | number | boolean | null>
}

export async function auditBot(db: Db, { actor, bot, event, details }: Event): Promise<void> {
  await recordAudit(db, {
    organizationId: bot.organizationId,
    ...whoActs(actor),
    action: `rcs_bot.${event}`,
    object: { type: 'rcs_bot', id: bot.id },
    ...(details ? { details } : {}),
  })
}
